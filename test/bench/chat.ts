import { Agent } from 'node:http';
import { openStorage } from '../../storage/index.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { gatewayModule, jobsModule, withBenchService, type BenchService } from './bench-service.js';
import { ms, percentile, printTable } from './measure.js';
import { sendRequest } from './send-request.js';

const guests = 100;
const rounds = 10;
const assets = ['BTC', 'ETH', 'SOL', 'ADA', 'XRP', 'DOGE', 'LINK', 'AVAX', 'LTC', 'DOT'];

/** What guests ask: a light read, readings, and two questions in one message. */
const questions: readonly ((asset: string) => string)[] = [
  (asset) => `What is the price of ${asset}?`,
  (asset) => `How is the trend of ${asset} on 4h?`,
  (asset) => `What is the momentum of ${asset} and where is its support?`,
  (asset) => `how did ${asset} perform over the last 6 months`,
];

/** 100 guests who chat with the built-in analyst at the same time. */
export async function benchChat(): Promise<void> {
  await withBenchService(async (service) => {
    await prepare(service);
    const [gateway] = await Promise.all([
      service.start('gateway', gatewayModule),
      service.start('compute', jobsModule, ['compute']),
    ]);
    await benchGuests(gateway.facts.url);
  });
}

async function prepare({ mongodbUrl }: BenchService): Promise<void> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  for (const [seed, base] of assets.entries())
    await storage.candles.add({ market: 'csv', base, quote: 'USDT' }, randomCandles(24 * 400, { seed }));
  await storage.close();
}

/** Each guest on a connection of its own; the first two rounds read candles and are not counted. */
async function benchGuests(url: string): Promise<void> {
  const agents = Array.from({ length: guests }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const rows = [['', 'p50', 'p99', 'longest']];
  for (const [kind, question] of questions.entries()) {
    const durations: number[] = [];
    for (let round = -2; round < rounds; round++)
      await Promise.all(
        agents.map(async (agent, n) => {
          const started = performance.now();
          const message = question(assets[(n + round + 2) % assets.length]);
          await sendRequest(`${url}/backend/assistant/guest-chat`, agent, { body: { message } });
          if (round >= 0) durations.push(performance.now() - started);
        }),
      );
    rows.push([questions[kind]('BTC'), ...[0.5, 0.99, 1].map((share) => ms(percentile(durations, share)))]);
  }
  for (const agent of agents) agent.destroy();
  printTable(`${guests} guests at once, ${rounds} questions each of a kind, built-in analyst`, rows);
}
