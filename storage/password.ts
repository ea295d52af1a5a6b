import { hash, verify } from '@node-rs/argon2';

/** The argon2id hash of a password, with the library's parameters (19 MiB, 2 passes), in its encoded form. */
export const hashPassword = (password: string): Promise<string> => hash(password);

let decoy: Promise<string> | undefined;

/** Whether the password belongs to the hash. Without a hash the answer is no, after the same work. */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  decoy ??= hashPassword('a password nobody has');
  const matches = await verify(passwordHash ?? (await decoy), password);
  return passwordHash !== null && matches;
}
