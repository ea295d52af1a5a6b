import { Agent, request } from 'node:http';
import { openStorage } from '../../storage/index.js';
import { hashPassword } from '../../storage/users/password.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { gatewayModule, jobsModule, withBenchService } from './bench-service.js';
import { measure, ms, percentile, printTable } from './measure.js';

const requests = 500;
const assets = ['AAA', 'BBB', 'CCC', 'DDD'];
const fiveYears = 'FIVE';

/** A warm one-year 1h backtest over HTTP, and own rules over five years, gateway and compute node in processes of their own. */
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
    await runRules(gateway.facts.url, token);
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
  await storage.candles.add(
    { market: 'csv', base: fiveYears, quote: 'USDT' },
    randomCandles(43_800, { seed: 9, startMs: Date.UTC(2020, 0, 1) }),
  );
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

/** Own rules over five years beside a built-in strategy over one, in turns, so that the load of the machine meets both. */
async function runRules(address: string, token: string): Promise<void> {
  const side = (fast: number, slow: number) => ({
    entry: {
      all: [
        { left: `ema_${fast}`, op: 'crosses_above', right: `ema_${slow}` },
        { left: 'rsi_14', op: '<', right: 70 },
      ],
    },
    exit: { left: `ema_${fast}`, op: 'crosses_below', right: `ema_${slow}` },
    stopLoss: { percent: 3 },
    takeProfit: { percent: 6 },
  });
  const builtIn = (n: number) =>
    post(`${address}/backend/core-line/backtest`, token, {
      ...{
        asset: assets[n % assets.length],
        interval: '1h',
        strategy: 'ema_cross',
        feePercent: 0.5 + n * 1e-4,
      },
    });
  const research = (fast: number, slow: number, feePercent: number) =>
    post(`${address}/backend/research/backtest`, token, {
      ...{ asset: fiveYears, interval: '1h', strategy: { long: side(fast, slow) }, feePercent },
    });
  const contestants: [title: string, ask: (n: number) => Promise<string>][] = [
    ['ema_cross, one year', (n) => builtIn(n + 100)],
    ['rules, five years', (n) => research(20, 50, 0.1 + (n + 100) * 1e-4)],
    [
      'rules, five years, decided and checked anew',
      (n) => research(5 + (n % 20), 60 + Math.floor(n / 20), 0.1),
    ],
  ];
  const rounds = 150;
  const times = contestants.map((): number[] => []);
  for (let n = -50; n < rounds; n++)
    for (const [at, [, ask]] of contestants.entries()) {
      const started = performance.now();
      await ask(n + 50);
      if (n >= 0) times[at].push(performance.now() - started);
    }
  const medians = times.map((each) => percentile(each, 0.5));
  printTable(`own rules over HTTP, ${rounds} requests of each in turns, other costs each time`, [
    ['', 'p50', 'p99', 'times the first'],
    ...contestants.map(([title], at) => [
      title,
      ms(medians[at]),
      ms(percentile(times[at], 0.99)),
      (medians[at] / medians[0]).toFixed(2),
    ]),
  ]);
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
