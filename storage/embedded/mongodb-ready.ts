import { MongoClient } from 'mongodb';
import { socketExchange } from './socket-exchange.js';

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
