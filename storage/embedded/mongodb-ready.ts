import { MongoClient } from 'mongodb';
import { connect } from 'node:net';

/** The user that the service is in an embedded MongoDB. */
export const mongodbUser = 'tidemark';

/** What the user may do: all that the repositories need in any database, and ask for the state of the server. */
export const mongodbRoles = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor'];

/** The URL of an embedded MongoDB. `directConnection` because it may claim to be a member of a replica set. */
export function embeddedMongodbUrl(port: number, password: string): string {
  const user = `${mongodbUser}:${encodeURIComponent(password)}`;
  return `mongodb://${user}@127.0.0.1:${port}/tidemark?directConnection=true&authSource=admin`;
}

/**
 * Whether the process with this id answers MongoDB commands at the URL. By SCRAM client and server prove to each other that
 * they know the password, so another process that took the port learns nothing.
 */
export async function isMongodbReady(url: string, port: number, pid: number): Promise<boolean> {
  // The driver waits half a second between attempts; a plain TCP connection shows sooner whether a server listens.
  if ((await socketExchange({ port, host: '127.0.0.1' }, '', () => true)) === undefined) return false;
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    const status = await client.db('admin').command({ serverStatus: 1 });
    return Number(status.pid) === pid;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}

/** Where a server listens: a port of an address, or a Unix socket. */
type ServerSocket = { port: number; host: string } | { path: string };

/**
 * Sends a text to a server and returns the answer once `isWhole` accepts it; undefined if no server listens or the answer is
 * not complete within a second. An empty text only tests the connection.
 */
export function socketExchange(
  address: ServerSocket,
  text: string,
  isWhole: (answer: string) => boolean,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ ...address, timeout: 1_000 });
    const end = (result: string | undefined) => {
      socket.destroy();
      resolve(result);
    };
    socket.on('connect', () => (text === '' ? end('') : socket.write(text)));
    socket.on('data', (data) => {
      answer += data.toString();
      if (isWhole(answer)) end(answer);
    });
    socket.on('error', () => end(undefined));
    socket.on('timeout', () => end(undefined));
    socket.on('close', () => end(undefined));
  });
}
