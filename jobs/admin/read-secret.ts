import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { AppError } from '../../compute/model/errors.js';

/**
 * The secret in a file, or on standard input for `-`, without the line's end: on the command line every user of the machine
 * could read it. Throws `invalid_file` when there is none.
 */
export async function readSecret(file: string): Promise<string> {
  let found: string;
  try {
    found = file === '-' ? await text(process.stdin) : await readFile(resolve(file), 'utf8');
  } catch (error) {
    throw new AppError('invalid_file', `"${file}" cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const secret = found.trim();
  if (secret === '') throw new AppError('invalid_file', `"${file}" is empty`);
  return secret;
}
