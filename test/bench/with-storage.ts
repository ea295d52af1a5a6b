import { openStorage, type Storage } from '../../storage/index.js';
import { openMongo } from '../../storage/servers/mongo.js';
import type { TemporaryStorage } from '../support/servers/temporary-storage.js';
import { withBenchService } from './bench-service.js';

const limits = { timeoutMs: 60_000 };

/** Runs work with the storage of a service that is started for it. */
export async function withStorage(
  run: (
    storage: Storage,
    more: { redisUrl: string; mongodbUrl: string; context: TemporaryStorage },
  ) => Promise<void>,
): Promise<void> {
  await withBenchService(async ({ redisUrl, mongodbUrl }) => {
    const storage = openStorage(mongodbUrl, limits);
    const mongo = openMongo(mongodbUrl, limits);
    await storage.migrate();
    const context = { url: mongodbUrl, storage, db: mongo.db, another: () => storage };
    await run(storage, { redisUrl, mongodbUrl, context });
    await Promise.all([storage.close(), mongo.close()]);
  });
}
