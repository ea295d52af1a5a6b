import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { chmod, rm, lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { socketExchange } from './mongodb-ready.js';
import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { AppError } from '../../compute/model/errors.js';
import { preparePrivateFolder } from './private-folder.js';

/** Systems accept socket paths of 104 (macOS) or 108 (Linux) bytes with the closing zero. */
const longestSocketPath = 100;

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

/**
 * Listens on a socket beside the lock of a data folder for as long as the claim lives. Processes in other containers that share
 * the folder do not see this process, but they can connect to the socket; when the process dies, they no longer can. Undefined
 * where the path is too long, or the file system has no sockets.
 */
export async function listenForClaim(folder: string, claimId: string): Promise<Server | undefined> {
  const path = claimSocket(folder, claimId);
  if (Buffer.byteLength(path) > longestSocketPath) return undefined;
  const server = createServer((connection) => connection.destroy()).unref();
  try {
    server.listen({ path });
    await once(server, 'listening');
    await chmod(path, 0o700);
    return server;
  } catch {
    return undefined;
  }
}

/** Whether the process that made a claim answers. */
export async function claimAnswers(folder: string, claimId: string): Promise<boolean> {
  return (await socketExchange({ path: claimSocket(folder, claimId) }, '', () => true)) !== undefined;
}

/** Removes the socket that a dead process has left. */
export const removeClaimSocket = (folder: string, claimId: string): Promise<void> =>
  rm(claimSocket(folder, claimId), { force: true });

/** A short name, because systems limit the length of the path. */
const claimSocket = (folder: string, claimId: string): string =>
  join(folder, `lock-${claimId.slice(0, 8)}.sock`);
