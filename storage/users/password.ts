import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import Joi from 'joi';
import { dictionary } from '@zxcvbn-ts/language-common';
import { BoundedQueue } from './bounded-queue.js';

/** argon2id with 19 MiB, 2 passes and one lane, as OWASP recommends; takes 20 to 30 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing leaves one core to other requests, and two of the four threads of Node's pool to file access, DNS look-ups and
 * compression.
 */
const queue = new BoundedQueue({
  concurrency: Math.max(1, Math.min(2, availableParallelism() - 1)),
  mostWaiting: 64,
  longestWaitMs: 2_000,
});

/** A password at sign-in: text of at most 1,024 bytes in UTF-8. It is never truncated. */
export const givenPassword = Joi.string()
  .max(1024, 'utf8')
  .pattern(/^[^\0\p{Surrogate}]+$/u, 'well-formed text without NUL')
  // Joi's own messages would speak of characters.
  .messages({
    'string.min': '{{#label}} must be at least {{#limit}} bytes in UTF-8',
    'string.max': '{{#label}} must be at most {{#limit}} bytes in UTF-8',
  });

const leastBytes = 8;

/** The passwords that occur most often in leaks, of those that are long enough: some 18,000, in lower case. */
const common: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((password) => password.length >= leastBytes),
);

/** A password at sign-up or change: as at sign-in, at least 8 bytes, and none of those that are tried first. */
export const chosenPassword = givenPassword
  .min(leastBytes, 'utf8')
  .custom((password: string, { error }) =>
    common.has(password.toLowerCase()) ? error('password.common') : password,
  )
  .messages({ 'password.common': '{{#label}} is among the most common passwords; choose another one' });

/** The encoded argon2id hash of a password. Throws `queue_full` when too many wait. */
export const hashPassword = (password: string): Promise<string> =>
  queue.run(() => hash(normalised(password), cost));

/** Keyboards differ in how they encode an accented letter: as one character or as two. */
const normalised = (password: string) => password.normalize('NFC');

let decoy: Promise<string> | undefined;

/** The hash to compare a password with. For null it is one that no password matches, made at the same cost. */
export async function comparedHash(passwordHash: string | null): Promise<string> {
  if (!decoy) {
    decoy = hashPassword('a password without an account');
    // A failed attempt is not kept, so that the next call tries again.
    decoy.catch(() => (decoy = undefined));
  }
  return passwordHash ?? decoy;
}

/**
 * Whether the password matches the hash. For null it is false after the same work, so that timing does not reveal accounts.
 * Throws `queue_full` when too many wait.
 */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  const compared = await comparedHash(passwordHash);
  const matches = await queue.run(() => verify(compared, normalised(password)));
  return passwordHash !== null && matches;
}
