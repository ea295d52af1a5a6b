import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { AppError } from '../../../compute/model/errors.js';
import { chosenPassword } from '../../../storage/users/password.js';
import { readBy } from './command-option.js';

/**
 * The secret in a file, or on standard input for `-`, without space around it. A secret on the command line could be read
 * by every user of the machine. Throws `invalid_file` for a file that cannot be read or is empty.
 */
export async function readSecret(file: string): Promise<string> {
  let found: string;
  try {
    found = file === '-' ? await text(process.stdin) : await readFile(resolve(file), 'utf8');
  } catch (error) {
    const message = `"${file}" cannot be read: ${(error as Error).message}`;
    throw new AppError('invalid_file', message, { cause: error });
  }
  const secret = found.trim();
  if (secret === '')
    throw new AppError('invalid_file', file === '-' ? 'standard input is empty' : `"${file}" is empty`);
  return secret;
}

export const passwordReader = readBy(chosenPassword);

/** The password in the first line of standard input. Throws `invalid_command` if it is missing, too short or too long. */
export async function readPassword(): Promise<string> {
  const password = await readLine();
  if (password === '') throw new AppError('invalid_command', 'no password came on standard input');
  return passwordReader(password, 'password');
}

/** The first line of standard input, or ''. At a terminal it asks for it, on standard error. */
async function readLine(): Promise<string> {
  if (process.stdin.isTTY) console.error('type the password (it is shown), then Enter:');
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    lines.close();
    return line;
  }
  return '';
}
