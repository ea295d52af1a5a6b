import { Agent, request } from 'node:http';
import { openStorage } from '../../storage/index.js';
import type { Position } from '../../storage/accounts/positions.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { gatewayModule, jobsModule, withBenchService } from './bench-service.js';
import { measure, ms, percentile, printTable } from './measure.js';

const rounds = 20;
const perRound = 100;

/** A light read as it is sent to both servers. */
interface LightRead {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

/** Who asks; the bare handler believes what it is told. */
interface User {
  id: string;
  token: string;
}

const position: Omit<Position, 'coin'> = {
  exchange: 'PAPER',
  quantity: 0.5,
  currentPrice: 61_234.5,
  change24h: 1.25,
  pnl: 812.5,
  costBasis: 'average',
  pricedAt: 1_760_000_000_000,
};

const reads: readonly LightRead[] = [
  {
    name: 'chart, 500 candles',
    method: 'POST',
    path: '/backend/core-line/chart',
    body: { asset: 'AAA', interval: '1h' },
  },
  { name: 'active positions, 10 of them', method: 'GET', path: '/backend/activepositions' },
];

/** Light reads through the gateway against a bare Koa handler that does the same MongoDB read, taking turns. */
export async function benchLightReads(): Promise<void> {
  await withBenchService(async ({ mongodbUrl, start }) => {
    const user = await prepare(mongodbUrl);
    const [gateway, bare] = await Promise.all([
      start('gateway', gatewayModule),
      start('bare Koa', new URL('./bare-koa.js', import.meta.url)),
      start('compute', jobsModule, ['compute']),
    ]);
    const urls = { bare: bare.facts.url, gateway: gateway.facts.url };
    for (const read of reads) {
      for (const callers of [1, 16])
        printTable(`${read.name}, ${callers} at a time`, await compare(read, urls, user, callers));
    }
  });
}

async function prepare(mongodbUrl: string): Promise<User> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  await storage.candles.add({ market: 'csv', base: 'AAA', quote: 'USDT' }, randomCandles(24 * 365));
  const user = await storage.users.add({ email: 'bench@example.com', plan: 'pro', passwordHash: 'none' });
  const token = await storage.sessions.open(user.id, 'web');
  const positions = Array.from({ length: 10 }, (_, n) => ({ ...position, coin: `C${n}` }));
  await storage.positions.write([{ userId: user.id, positions, accounts: [], revision: 0 }]);
  await storage.close();
  return { id: user.id, token };
}

async function compare(
  read: LightRead,
  urls: { bare: string; gateway: string },
  user: User,
  callers: number,
): Promise<string[][]> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const durations = { bare: [] as number[], gateway: [] as number[] };
  const seconds = { bare: 0, gateway: 0 };
  // The gateway first: it has the core line computed that both read.
  for (let round = -2; round < rounds; round++) {
    for (const who of ['gateway', 'bare'] as const) {
      const started = performance.now();
      const turns = Array.from({ length: callers }, () =>
        measure(perRound / callers, 0, () => send(urls[who], read, user, agent)),
      );
      const taken = (await Promise.all(turns)).flat();
      if (round < 0) continue;
      durations[who].push(...taken);
      seconds[who] += (performance.now() - started) / 1_000;
    }
  }
  agent.destroy();
  const row = (who: 'bare' | 'gateway') => [
    who,
    ms(percentile(durations[who], 0.5)),
    ms(percentile(durations[who], 0.99)),
    `${Math.round(durations[who].length / seconds[who])}/s`,
  ];
  const ratio = (percentile(durations.gateway, 0.5) / percentile(durations.bare, 0.5)).toFixed(2);
  const share = (seconds.gateway / seconds.bare).toFixed(2);
  return [['', 'p50', 'p99', 'requests'], row('bare'), row('gateway'), ['gateway / bare', ratio, '', share]];
}

function send(url: string, { method, path, body }: LightRead, user: User, agent: Agent): Promise<void> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': text.length };
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      { method, agent, headers: { ...content, 'session-token': user.token, 'user-id': user.id } },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
        answer.resume().on('end', resolve);
      },
    );
    sent.on('error', reject).end(text);
  });
}
