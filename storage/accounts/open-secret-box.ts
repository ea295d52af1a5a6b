import { randomBytes } from 'node:crypto';
import { link, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../embedded/private-folder.js';
import { AppError } from '../../compute/model/errors.js';
import { SecretBox } from './secret-box.js';

const fileName = 'secrets.key';

/**
 * The box for stored secrets. Its keys are those of SECRETS_KEY. Without any, a random key is created once and kept in a
 * 0600 file in the data folder. When SECRETS_KEY is set later, the key in the file still opens what it sealed. Throws
 * `invalid_file` when that file holds no key.
 */
export async function openSecretBox({
  SECRETS_KEY,
  DATA_DIR,
}: {
  SECRETS_KEY: string;
  DATA_DIR: string;
}): Promise<SecretBox> {
  const file = join(DATA_DIR, fileName);
  const given = readSecretKeys(SECRETS_KEY);
  const kept = await readKeyFile(file);
  if (given.length > 0) return new SecretBox(kept ? [...given, kept] : given);
  return new SecretBox([kept ?? (await makeKeyFile(file, DATA_DIR))]);
}

async function readKeyFile(file: string): Promise<Buffer | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = readSecretKey(text.trim());
  if (!key) throw new AppError('invalid_file', `"${file}" holds no key of 32 bytes in hex`);
  return key;
}

/** Creates the key file. Creating a link is atomic: of several processes one succeeds, and all use its key. */
async function makeKeyFile(file: string, folder: string): Promise<Buffer> {
  await makeFolder(folder);
  const key = randomBytes(32);
  const draft = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(key.toString('hex'));
    await handle.sync();
    await handle.close();
    await link(draft, file);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readKeyFile(file))!;
  } finally {
    await unlink(draft);
  }
}

/** Parses keys of 32 bytes in hex or base64, separated by commas. Throws a RangeError that does not repeat them. */
export function readSecretKeys(text: string): Buffer[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part, n) => {
    const key = readSecretKey(part.trim());
    if (!key) throw new RangeError(`key ${n + 1} is not 32 bytes in hex or base64`);
    return key;
  });
}

/** The 32 bytes of a key in hex or base64; null if the text is neither. */
function readSecretKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : null;
}
