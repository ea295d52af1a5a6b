import { MongoClient } from 'mongodb';
import { tcpExchange } from './tcp-exchange.js';

/** The address of an embedded MongoDB. One member answers for itself, whatever set it says it belongs to. */
export function embeddedMongodbUrl(port: number): string {
  return `mongodb://127.0.0.1:${port}/tidemark?directConnection=true`;
}

/** Whether the process with this id answers the driver on the port. */
export async function isMongodbReady(port: number, pid: number): Promise<boolean> {
  // The driver waits half a second between attempts; a bare connection tells sooner that somebody listens.
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
