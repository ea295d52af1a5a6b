import { setTimeout as pause } from 'node:timers/promises';
import { Prices } from '../../storage/candles/prices.js';
import { openStorage } from '../../storage/index.js';
import { openRedis, patient } from '../../storage/servers/redis.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { openStreamAt } from '../support/gateway/event-answer.js';
import { unlimited } from '../support/gateway/unlimited.js';
import { RoleChild } from '../support/process/role-child.js';
import { jobsModule, withBenchService } from './bench-service.js';
import { ms, percentile, printTable } from './measure.js';
import { residentMb } from './process-cost.js';
import { readCharts, type Reads } from './read-charts.js';

const [streams, clients, rounds] = [1_000, 4, 3];

/** Light reads of a gateway alone and while 1,000 streams are open that hear of new prices every second, taking turns. */
export async function benchStreams(seconds = 10): Promise<void> {
  await withBenchService(async ({ mongodbUrl, redisUrl, start }) => {
    const tokens = await prepare(mongodbUrl);
    const [gateway] = await Promise.all([
      RoleChild.start('gateway', {
        ...unlimited,
        REDIS_URL: redisUrl,
        MONGODB_URL: mongodbUrl,
        LOG_LEVEL: 'warn',
      }),
      start('compute', jobsModule, ['compute']),
    ]);
    const { url } = gateway.facts;
    const pid = gateway.process.pid!;
    await readCharts(url, 3, clients);
    const redis = openRedis(redisUrl, patient);
    const telling = setInterval(() => void tellPrices(redis), 1_000);
    const rows: string[][] = [];
    for (let round = 0; round < rounds; round++) {
      const [alone, mb] = [await readCharts(url, seconds, clients), residentMb(pid)];
      const opened = [];
      for (const [n, token] of tokens.entries())
        opened.push(
          await openStreamAt(url, { topics: 'prices,signals', token, from: `127.0.1.${1 + (n % 100)}` }),
        );
      await pause(2_000);
      const beside = await readCharts(url, seconds, clients);
      const heard = opened.map(({ events }) => events.length);
      rows.push(
        row('alone', alone, '', ''),
        row(
          `${opened.filter(({ status }) => status === 200).length} streams`,
          beside,
          `${(residentMb(pid) - mb).toFixed(0)} MB`,
          `${Math.min(...heard)} to ${Math.max(...heard)}`,
        ),
      );
      for (const each of opened) each.leave();
      await Promise.all(opened.map(({ ended }) => ended));
    }
    clearInterval(telling);
    redis.disconnect();
    await gateway.stop();
    const title = `charts of ${clients} clients for ${seconds} s, alone and beside open streams`;
    printTable(title, [['', 'p50', 'p99', 'requests', 'failed', 'more memory', 'events heard'], ...rows]);
  });

  function row(name: string, { durations, failed }: Reads, memory: string, heard: string): string[] {
    const [p50, p99] = [0.5, 0.99].map((share) => ms(percentile(durations, share)));
    return [name, p50, p99, `${Math.round(durations.length / seconds)}/s`, String(failed), memory, heard];
  }
}

/** Candles, and a session for each stream. */
async function prepare(mongodbUrl: string): Promise<string[]> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  await storage.candles.add({ market: 'csv', base: 'AAA', quote: 'USDT' }, randomCandles(24 * 365));
  const tokens: string[] = [];
  for (let n = 0; n < streams; n++) {
    const email = `stream-${n}@example.com`;
    const { id } = await storage.users.add({ email, plan: 'free', passwordHash: 'none' });
    tokens.push(await storage.sessions.open(id, 'web'));
  }
  await storage.close();
  return tokens;
}

/** New prices of 20 pairs. */
async function tellPrices(redis: ReturnType<typeof openRedis>): Promise<void> {
  const prices = Array.from({ length: 20 }, (_, n) => ({
    base: `A${n}`,
    quote: 'USDT',
    price: 100 + Math.random(),
    change24hPercent: 1,
    time: Date.now(),
  }));
  await new Prices(redis).put('csv', prices);
}
