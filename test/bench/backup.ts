import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackup } from '../../storage/backup/create-backup.js';
import { firstDifference } from '../../storage/backup/first-difference.js';
import { restoreBackup } from '../../storage/backup/restore-backup.js';
import { openStorage } from '../../storage/index.js';
import { openMongo } from '../../storage/servers/mongo.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { withBenchService } from './bench-service.js';
import { printTable } from './measure.js';
import { residentMb } from './process-cost.js';

const [pairs, users, atOnce] = [50, 10_000, 50];
const goal = '60 s';
/** Filling a database takes minutes where others use the machine. */
const timeoutMs = 1_200_000;

/** A backup of a service of middle size, and its restore into another database; all documents are compared. */
export async function benchBackup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-backup-'));
  await withBenchService(async ({ mongodbUrl }) => {
    const storage = openStorage(mongodbUrl, { timeoutMs });
    await storage.migrate();
    for (let n = 0; n < pairs; n++)
      await storage.candles.add(
        { market: 'csv', base: `A${n}`, quote: 'USDT' },
        randomCandles(24 * 730, { seed: n + 1 }),
      );
    for (let n = 0; n < users; n += atOnce)
      await Promise.all(
        Array.from({ length: atOnce }, (_, place) =>
          storage.users.add({
            email: `user-${n + place}@example.com`,
            plan: 'free',
            passwordHash: 'none signs in',
          }),
        ),
      );
    const { db, close } = openMongo(mongodbUrl, { timeoutMs });
    const target = join(folder, 'one');
    const measured = async <T>(work: Promise<T>): Promise<[T, string, string]> => {
      const [from, before] = [performance.now(), residentMb(process.pid)];
      let max = before;
      const looks = setInterval(() => (max = Math.max(max, residentMb(process.pid))), 20);
      const result = await work;
      clearInterval(looks);
      const seconds = (performance.now() - from) / 1_000;
      return [result, `${seconds.toFixed(1)} s`, `${(max - before).toFixed(0)} MB`];
    };
    const [manifest, saved, savedIn] = await measured(createBackup(db, target, () => Promise.resolve()));
    const other = db.client.db(`${db.databaseName}_restored`);
    const [, restored, restoredIn] = await measured(restoreBackup(other, target, manifest));
    const difference = await firstDifference(other, target, manifest);
    await other.dropDatabase();
    await Promise.all([close(), storage.close()]);
    const documents = manifest.collections.reduce((sum, each) => sum + each.documents, 0);
    printTable(`Backup of ${pairs} pairs and ${users} users, ${documents} documents`, [
      ['way', 'time', 'goal', 'memory in use at most, beyond that before', 'documents'],
      ['create', saved, goal, savedIn, manifest.consistency],
      ['restore', restored, goal, restoredIn, difference ?? 'all equal'],
    ]);
  });
  await rm(folder, { recursive: true });
}
