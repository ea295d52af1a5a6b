import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

/** The file with the password of the embedded MongoDB whose data are in `folder`, beside it. Only its owner can read it. */
export const mongodbPasswordFile = (folder: string): string => `${folder}-password`;

/** A password of 256 random bits that needs no encoding in a URL. */
export const newMongodbPassword = (): string => randomBytes(32).toString('base64url');

/** The stored password; undefined if none is stored. */
export async function readMongodbPassword(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() || undefined;
}

/** Stores the password, complete or not at all. Does nothing if one is stored. */
export async function storeMongodbPassword(file: string, password: string): Promise<void> {
  const draft = `${file}-${randomUUID()}`;
  try {
    await writeFile(draft, `${password}\n`, { mode: 0o600 });
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}
