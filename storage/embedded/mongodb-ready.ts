import { MongoClient } from 'mongodb';
import { tcpExchange } from './tcp-exchange.js';

/** The URL of an embedded MongoDB. `directConnection` because it may claim to be a member of a replica set. */
export function embeddedMongodbUrl(port: number): string {
  return `mongodb://127.0.0.1:${port}/tidemark?directConnection=true`;
}

/** Whether the process with this id answers MongoDB commands on the port. */
export async function isMongodbReady(port: number, pid: number): Promise<boolean> {
  // The driver waits half a second between attempts; a plain TCP connection shows sooner whether a server listens.
  if ((await tcpExchange(port, '', () => true)) === undefined) return false;
  const client = new MongoClient(embeddedMongodbUrl(port), { serverSelectionTimeoutMS: 2_000 });
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
