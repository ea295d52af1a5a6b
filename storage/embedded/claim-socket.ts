import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { socketExchange } from './socket-exchange.js';
import { longestSocketPath } from './socket-path.js';

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
