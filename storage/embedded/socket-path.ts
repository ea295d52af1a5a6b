import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../../compute/model/errors.js';
import { preparePrivateFolder } from './private-folder.js';

/** Systems accept socket paths of 104 (macOS) or 108 (Linux) bytes with the closing zero. */
export const longestSocketPath = 100;

/**
 * The path of the Unix socket `name` of a server with its data in `folder`: in that folder, or in a folder of its own below
 * the temporary one, or /tmp, if the path would be too long. Both are closed to other users. Throws `invalid_settings` for a folder
 * that another user made.
 */
export async function socketPath(folder: string, name: string): Promise<string> {
  const beside = join(folder, name);
  if (Buffer.byteLength(beside) <= longestSocketPath) return beside;
  const digest = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  const isShort = (path: string) => Buffer.byteLength(join(path, name)) <= longestSocketPath;
  const temporary = [tmpdir(), '/tmp'].map((each) => join(each, `tidemark-${digest}`));
  const short = temporary.find(isShort) ?? temporary[1];
  await mkdir(short, { mode: 0o700 }).catch(() => undefined);
  // Looked at before its mode is changed: another user may have made a link of this name to a folder of this user.
  const found = await lstat(short).catch(() => undefined);
  if (!found?.isDirectory() || found.uid !== userInfo().uid) {
    const problem = `"${short}" for the socket of a server is not a folder of this user`;
    throw new AppError('invalid_settings', `${problem}; remove it, or set DATA_DIR to a shorter path`);
  }
  await preparePrivateFolder(short);
  return join(short, name);
}
