import { openStorage, type Storage } from '../../storage/index.js';
import { withBenchService } from './bench-service.js';

const timeoutMs = 60_000;

/** Runs work with the storage of a service that is started for it. */
export async function withStorage(
  run: (storage: Storage, urls: { redisUrl: string; mongodbUrl: string }) => Promise<void>,
): Promise<void> {
  await withBenchService(async ({ redisUrl, mongodbUrl }) => {
    const storage = openStorage(mongodbUrl, { timeoutMs });
    await storage.migrate();
    await run(storage, { redisUrl, mongodbUrl });
    await storage.close();
  });
}
