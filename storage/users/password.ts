import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import Joi from 'joi';
import { Turns } from './turns.js';

/** argon2id with 19 MiB, 2 passes and one lane: what OWASP asks for, 20 to 30 ms. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing leaves a core to the other requests, and half of the four threads that Node shares among files, names of hosts
 * and compression. Who would wait for longer than two seconds is sent away.
 */
const turns = new Turns(Math.max(1, Math.min(2, availableParallelism() - 1)), 64, 2_000);

/** A password as it may come in: text of at most 1,024 bytes in UTF-8, all of which counts. */
export const givenPassword = Joi.string()
  .max(1024, 'utf8')
  .pattern(/^[^\0\p{Surrogate}]+$/u, 'well-formed text without NUL')
  // Joi would call the bytes characters.
  .messages({
    'string.min': '{{#label}} must be at least {{#limit}} bytes in UTF-8',
    'string.max': '{{#label}} must be at most {{#limit}} bytes in UTF-8',
  });

/** A password as it may be chosen: what may come in, and at least 8 bytes. */
export const chosenPassword = givenPassword.min(8, 'utf8');

/** The argon2id hash of a password in its encoded form. Throws `queue_full` where too many wait. */
export const hashPassword = (password: string): Promise<string> =>
  turns.run(() => hash(normalised(password), cost));

/** An accent comes as a letter of its own from one keyboard and as a part of the letter from another. */
const normalised = (password: string) => password.normalize('NFC');

let decoy: Promise<string> | undefined;

/** What a password is compared with: without a hash one that no password has, made at the same cost. */
export async function comparedHash(passwordHash: string | null): Promise<string> {
  // Made with the first question, whoever asks it.
  if (!decoy) {
    decoy = hashPassword('a password nobody has');
    // A failure is not kept, and told to those who wait for it.
    decoy.catch(() => (decoy = undefined));
  }
  return passwordHash ?? decoy;
}

/**
 * Whether the password belongs to the hash. Without a hash the answer is no, after the same work. Throws `queue_full` where
 * too many wait.
 */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  const compared = await comparedHash(passwordHash);
  const matches = await turns.run(() => verify(compared, normalised(password)));
  return passwordHash !== null && matches;
}
