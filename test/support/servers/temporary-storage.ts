import type { Db } from 'mongodb';
import { openStorage, type Storage } from '../../../storage/index.js';
import { openMongo, type Mongo } from '../../../storage/servers/mongo.js';
import { migratedMongodbUrl } from './migrated-database.js';

const limits = { timeoutMs: 20_000 };

export interface TemporaryStorage {
  readonly url: string;
  readonly storage: Storage;
  /** The same database, to look behind the repositories. */
  readonly db: Db;
  /** The same database through a client of its own, closed after the suite. */
  another(): Storage;
}

/** An empty, migrated database that is there for the suite; call it in `describe`. */
export function temporaryStorage(): TemporaryStorage {
  const opened: Storage[] = [];
  let url: string;
  let mongo: Mongo;
  const another = () => {
    const storage = openStorage(url, limits);
    opened.push(storage);
    return storage;
  };
  before(async () => {
    url = await migratedMongodbUrl();
    mongo = openMongo(url, limits);
    another();
  });
  after(async () => {
    await Promise.all(opened.map((storage) => storage.close()));
    await mongo.close();
  });
  return {
    get url() {
      return url;
    },
    get storage() {
      return opened[0];
    },
    get db() {
      return mongo.db;
    },
    another,
  };
}

let pairs = 0;

/** A pair that no other test uses. */
export const freshPair = () => ({ market: 'csv', base: `T${++pairs}`, quote: 'USDT' }) as const;
