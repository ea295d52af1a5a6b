import { Agent, request } from 'node:http';
import { openStorage } from '../../storage/index.js';
import { hashPassword } from '../../storage/users/password.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { gatewayModule, jobsModule, withBenchService } from './bench-service.js';
import { measure, ms, percentile, printTable } from './measure.js';

const requests = 500;
const assets = ['AAA', 'BBB', 'CCC', 'DDD'];

/** A warm one-year 1h backtest over HTTP, gateway and compute node in processes of their own. */
export async function benchBacktestHttp(): Promise<void> {
  await withBenchService(async ({ mongodbUrl, start }) => {
    const token = await prepare(mongodbUrl);
    const [gateway] = await Promise.all([
      start('gateway', gatewayModule),
      start('compute', jobsModule, ['compute']),
    ]);
    const url = `${gateway.facts.url}/backend/core-line/backtest`;
    const asset = (n: number) => assets[n % assets.length];
    // No two requests have the same answer.
    await run('trend_state at other costs each time', url, token, (n) => ({
      asset: asset(n),
      feePercent: 0.1 + n * 1e-4,
    }));
    await run('ema_cross with other periods each time (decided and checked anew)', url, token, (n) => {
      const params = { fast: 5 + Math.floor(n / 40), slow: 60 + (n % 40) };
      return { asset: asset(n), strategy: 'ema_cross', params };
    });
  });
  agent.destroy();
}

async function prepare(mongodbUrl: string): Promise<string> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  for (const [seed, base] of assets.entries()) {
    await storage.candles.add(
      { market: 'csv', base, quote: 'USDT' },
      randomCandles(39_400, { seed, startMs: Date.UTC(2020, 0, 1) }),
    );
  }
  const passwordHash = await hashPassword('a password');
  const user = await storage.users.add({ email: 'bench@example.com', plan: 'pro', passwordHash });
  const token = await storage.sessions.open(user.id, 'web');
  await storage.close();
  return token;
}

/** Keeps its connection, and costs less than fetch does: the service is measured, not the client. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function post(url: string, token: string, body: unknown): Promise<string> {
  const text = JSON.stringify(body);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': text.length,
    'session-token': token,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
      answer.resume().on('end', () => resolve(String(answer.headers['server-timing'])));
    });
    sent.on('error', reject).end(text);
  });
}

async function run(title: string, url: string, token: string, bodyOf: (n: number) => object): Promise<void> {
  const stages: Record<string, number[]> = {};
  const durations = await measure(requests, 100, async (n) => {
    const started = performance.now();
    const parts = stagesOf(await post(url, token, { interval: '1h', ...bodyOf(n + 100) }));
    if (n < 0) return;
    const inner = Object.values(parts).reduce((sum, value) => sum + value, 0);
    parts['http, session read'] = performance.now() - started - inner;
    for (const [stage, value] of Object.entries(parts)) (stages[stage] ??= []).push(value);
  });
  const row = (name: string, values: number[]) => [
    name,
    ms(percentile(values, 0.5)),
    ms(percentile(values, 0.99)),
  ];
  const rows = Object.entries(stages).map(([name, values]) => row(`  ${name}`, values));
  printTable(`warm 1y 1h backtest over HTTP, ${requests} different ones, ${title}`, [
    ['', 'p50', 'p99'],
    row('end to end', durations),
    ...rows,
  ]);
}

/** The durations of a Server-Timing header, by name. */
const stagesOf = (header: string): Record<string, number> =>
  Object.fromEntries(
    [...header.matchAll(/(\w+);dur=([\d.]+)/g)].map(([, name, value]) => [name, Number(value)]),
  );
