import { MongoClient, type Db, type Document, type IndexDescription } from 'mongodb';
import { openStorage } from '../../../storage/index.js';
import { closeAfterTests, freshMongodbUrl, testServers } from './servers.js';

/** What the migrations make of an empty database. */
interface MigratedDatabase {
  indexes: { collection: string; indexes: IndexDescription[] }[];
  applied: Document[];
}

let model: Promise<MigratedDatabase> | undefined;
let client: MongoClient | undefined;

/**
 * The URL of a new database as all migrations leave an empty one. They run once in a process: later databases get the same
 * indexes with a command for each collection.
 */
export async function migratedMongodbUrl(): Promise<string> {
  const url = await freshMongodbUrl();
  const db = await databaseOf(url);
  const known = model !== undefined;
  const { indexes, applied } = await (model ??= migrate(url, db));
  if (!known) return url;
  for (const each of indexes) await db.collection(each.collection).createIndexes(each.indexes);
  await db.collection('migrations').insertMany(applied);
  return url;
}

async function databaseOf(url: string): Promise<Db> {
  client ??= await openClient();
  return client.db(new URL(url).pathname.slice(1));
}

async function openClient(): Promise<MongoClient> {
  const opened = new MongoClient((await testServers()).mongodbUrl);
  closeAfterTests(() => opened.close());
  return opened;
}

async function migrate(url: string, db: Db): Promise<MigratedDatabase> {
  const storage = openStorage(url, { timeoutMs: 20_000 });
  await storage.migrate();
  await storage.close();
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const indexes = await Promise.all(names.map((name) => ownIndexes(db, name)));
  const applied = await db.collection('migrations').find().toArray();
  return { indexes: indexes.filter((each) => each.indexes.length > 0), applied };
}

/** The indexes of a collection, but that which every collection has. */
async function ownIndexes(db: Db, collection: string) {
  const all = (await db.collection(collection).indexes()) as IndexDescription[];
  return { collection, indexes: all.filter(({ name }) => name !== '_id_') };
}
