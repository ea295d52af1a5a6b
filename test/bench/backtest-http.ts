import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RoleProcess } from '../../gateway/role-process.js';
import { openServers } from '../../storage/embedded/servers.js';
import { openStorage } from '../../storage/index.js';
import { hashPassword } from '../../storage/password.js';
import { randomCandles } from '../support/random-candles.js';
import { serversDir } from '../support/servers.js';
import { measure, ms, percentile, printTable } from './measure.js';

const requests = 500;
const assets = ['AAA', 'BBB', 'CCC', 'DDD'];

/** A warm one-year 1h backtest over HTTP, gateway and compute node in processes of their own. */
export async function benchBacktestHttp(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const settings = { REDIS_URL: '', MONGODB_URL: '', DATA_DIR: folder, SERVERS_DIR: serversDir };
  const report = (line: string) => console.error(line);
  const servers = await openServers({
    settings,
    holder: 'service',
    name: 'bench',
    running: 'refuse',
    report,
  });
  const { redisUrl, mongodbUrl } = servers;
  const env = {
    PATH: process.env.PATH,
    REDIS_URL: redisUrl,
    MONGODB_URL: mongodbUrl,
    MARKET: 'csv',
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  const role = (name: string, path: string, args: string[]) =>
    new RoleProcess({ role: name, module: new URL(path, import.meta.url), args, env, report });
  const gateway = role('gateway', '../../gateway/main.js', []);
  const compute = role('compute', '../../jobs/main.js', ['compute']);
  try {
    const token = await prepare(mongodbUrl);
    await Promise.all([gateway.start(), compute.start()]);
    await run(`${gateway.facts.url}/backend/core-line/backtest`, token);
  } finally {
    await Promise.all([gateway.stop(), compute.stop()]);
    await servers.close();
    await rm(folder, { recursive: true, force: true });
  }
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

async function run(url: string, token: string): Promise<void> {
  const stages: Record<string, number[]> = {};
  const headers = { 'Content-Type': 'application/json', 'session-token': token };
  const durations = await measure(requests, 100, async (n) => {
    const started = performance.now();
    // Another fee each time: no two requests have the same answer.
    const body = {
      asset: assets[(n + 100) % assets.length],
      interval: '1h',
      feeRate: 0.001 + (n + 100) * 1e-6,
    };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.arrayBuffer();
    if (n < 0) return;
    const parts = stagesOf(answer.headers.get('server-timing') ?? '');
    const inner = Object.values(parts).reduce((sum, value) => sum + value, 0);
    parts['http, session and series read'] = performance.now() - started - inner;
    for (const [stage, value] of Object.entries(parts)) (stages[stage] ??= []).push(value);
  });
  const row = (name: string, values: number[]) => [
    name,
    ms(percentile(values, 0.5)),
    ms(percentile(values, 0.99)),
  ];
  const rows = Object.entries(stages).map(([name, values]) => row(`  ${name}`, values));
  printTable(`warm 1y 1h backtest over HTTP, ${requests} different ones`, [
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
