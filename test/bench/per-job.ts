import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { assessRiskJob, type AssessRiskJobData } from '../../jobs/definitions/assess-risk.js';
import { JobClient } from '../../jobs/requests/job-client.js';
import { openStorage } from '../../storage/index.js';
import { connected, openRedis, patient } from '../../storage/servers/redis.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { ask } from '../support/process/role-child.js';
import { gatewayModule, jobsModule, withBenchService } from './bench-service.js';
import { CountingProxy, type Carried } from './counting-proxy.js';
import { printTable } from './measure.js';
import { commandsDuring, redisLoad, type RedisLoad } from './redis-load.js';

const idleSeconds = 10;
const traceId = 'bench';
const pairs = 100;

/** What Redis and MongoDB have done so far. */
interface Load {
  atMs: number;
  redis: RedisLoad;
  mongodb: Carried;
}

/** Figures of one question, or of one second. */
interface Figures {
  commands: number;
  redisIn: number;
  redisOut: number;
  redisCpuUs: number;
  messages: number;
  mongodbIn: number;
  mongodbOut: number;
}

/** Asks `count` questions. */
interface Case {
  title: string;
  count: number;
  /** Makes it as it was before, where the same questions are asked again. */
  before?: () => Promise<unknown>;
  ask: () => Promise<unknown>;
}

/** What one job costs Redis and MongoDB, in commands, bytes and time; and what a node costs that does nothing. */
export async function benchPerJob(): Promise<void> {
  await withBenchService(async ({ redisUrl, mongodbUrl, start }) => {
    const proxy = new CountingProxy(mongodbUrl);
    const env = { MONGODB_URL: await proxy.open() };
    const redis = openRedis(redisUrl, patient);
    await connected(redis);
    const { token, questions } = await prepare(mongodbUrl);
    const gateway = await start('gateway', gatewayModule, [], env);
    await start('compute', jobsModule, ['compute'], env);
    const queues = await JobClient.open(redisUrl, { depthLimit: 5_000, rememberedCharacters: 0 });
    try {
      const meter = new Meter(redis, proxy);
      const forget = () => redis.del('tidemark:results', 'tidemark:results:until', 'tidemark:results:bytes');
      const cases = casesOf(gateway.facts.url, token, { queues, questions, forget });
      // Candles in memory, code compiled.
      for (const each of cases) await each.ask();
      await pause(1_000);
      const one = await meter.idle();
      const rows = [];
      for (const each of cases) rows.push(row(each.title, await meter.measure(each, one.figures)));
      await start('compute', jobsModule, ['compute'], env);
      await pause(2_000);
      const two = await meter.idle();
      const node = mapFigures((name) => two.figures[name] - one.figures[name]);
      printTable('for one question, what runs idle taken off', [head, ...rows]);
      printTable(`for one second in which nothing is asked, over ${idleSeconds} s`, [
        head,
        row('gateway, bench and one node', one.figures),
        row('one more node', node),
      ]);
      const [all, own] = [one.clients, two.clients - one.clients];
      // The bench itself has three: its own, and two of its queues.
      console.log(`\nconnections to Redis: a node ${own}, a gateway ${all - own - 3}`);
      console.log('commands of one question, by name:');
      for (const [title, names] of meter.names) console.log(`  ${title}: ${names}`);
    } finally {
      await queues.close();
      redis.disconnect();
      await proxy.close();
    }
  });
}

function casesOf(
  url: string,
  token: string,
  {
    queues,
    questions,
    forget,
  }: { queues: JobClient; questions: AssessRiskJobData[]; forget: () => Promise<unknown> },
): Case[] {
  let n = 0;
  const backtest = (feePercent = ++n * 1e-5) =>
    ask(url, '/backend/core-line/backtest', { asset: 'C1', interval: '1h', period: '1y', feePercent }, token);
  const chart = () => ask(url, '/backend/core-line/chart', { asset: 'C1', interval: '1h' });
  const inTurn = (count: number, one: () => Promise<unknown>) => async () => {
    for (let each = 0; each < count; each++) await one();
  };
  const atOnce = (count: number, one: () => Promise<unknown>) => () =>
    Promise.all(Array.from({ length: count }, one));
  const risks = () =>
    Promise.all(questions.map((question) => queues.run(assessRiskJob, question, { traceId })));
  return [
    { title: 'backtest (1y of 1h), one after the other', count: 100, ask: inTurn(100, () => backtest()) },
    { title: 'backtest, 100 different at once', count: 100, ask: atOnce(100, () => backtest()) },
    {
      title: 'backtest, 100 equal at once',
      count: 100,
      ask: () => {
        const fee = ++n * 1e-7;
        return atOnce(100, () => backtest(fee))();
      },
    },
    { title: 'backtest, asked again', count: 100, ask: inTurn(100, () => backtest(0.05)) },
    {
      title: `risk assessment, ${questions.length} different at once`,
      count: questions.length,
      before: forget,
      ask: risks,
    },
    { title: 'chart of 500 candles', count: 100, ask: inTurn(100, chart) },
  ];
}

async function prepare(mongodbUrl: string): Promise<{ token: string; questions: AssessRiskJobData[] }> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  const bases = ['BTC', ...Array.from({ length: pairs - 1 }, (_, n) => `C${n}`)];
  for (const [seed, base] of bases.entries()) {
    const candles = randomCandles(base === 'C1' ? 24 * 600 : 1_000, { seed });
    await storage.candles.add({ market: 'csv', base, quote: 'USDT' }, candles);
  }
  const user = await storage.users.add({ email: 'bench@example.com', plan: 'pro', passwordHash: 'none' });
  const token = await storage.sessions.open(user.id, 'web');
  const series = await storage.series.traded('csv', 'USDT', '1h');
  await storage.close();
  const leadingDigest = series.find(({ base }) => base === 'BTC')!.digest;
  const questions = (['long', 'short'] as const).flatMap((side) =>
    series.map(({ market, base, quote, interval, digest }) => ({
      key: { market, base, quote, interval },
      digest,
      leadingDigest,
      side,
    })),
  );
  return { token, questions };
}

class Meter {
  readonly #redis: Redis;
  readonly #proxy: CountingProxy;
  readonly names = new Map<string, string>();

  constructor(redis: Redis, proxy: CountingProxy) {
    this.#redis = redis;
    this.#proxy = proxy;
  }

  /** Figures of a second in which nobody asks anything. */
  async idle(): Promise<{ figures: Figures; clients: number }> {
    const before = await this.#read();
    await pause(idleSeconds * 1_000);
    const after = await this.#read();
    const commands = await commandsDuring(this.#redis, () => pause(idleSeconds * 1_000));
    const seconds = (after.atMs - before.atMs) / 1_000;
    const figures = { ...between(before, after), commands: sum(commands) };
    return { figures: mapFigures((name) => figures[name] / seconds), clients: after.redis.clients };
  }

  /** Figures of one question. */
  async measure({ title, count, before: renew, ask }: Case, idle: Figures): Promise<Figures> {
    await renew?.();
    const before = await this.#read();
    await ask();
    // What is told after the answer.
    await pause(200);
    const after = await this.#read();
    await renew?.();
    const started = performance.now();
    const commands = await commandsDuring(this.#redis, ask);
    const watched = (performance.now() - started) / 1_000;
    const seconds = (after.atMs - before.atMs) / 1_000;
    const all = { ...between(before, after), commands: sum(commands) };
    const off = (name: keyof Figures) => idle[name] * (name === 'commands' ? watched : seconds);
    const each = [...commands].sort(([, left], [, right]) => right - left);
    const perQuestion = each.map(([name, times]) => `${name} ${(times / count).toFixed(2)}`);
    this.names.set(title, perQuestion.join(', '));
    return mapFigures((name) => Math.max(0, all[name] - off(name)) / count);
  }

  async #read(): Promise<Load> {
    const redis = await redisLoad(this.#redis);
    return { atMs: performance.now(), redis, mongodb: { ...this.#proxy.carried } };
  }
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((total, each) => total + each, 0);

const between = (before: Load, after: Load) => ({
  redisIn: after.redis.bytesIn - before.redis.bytesIn,
  redisOut: after.redis.bytesOut - before.redis.bytesOut,
  redisCpuUs: after.redis.cpuUs - before.redis.cpuUs,
  messages: after.mongodb.messages - before.mongodb.messages,
  mongodbIn: after.mongodb.bytesIn - before.mongodb.bytesIn,
  mongodbOut: after.mongodb.bytesOut - before.mongodb.bytesOut,
});

const columns: readonly (readonly [keyof Figures, string, number])[] = [
  ['commands', 'Redis commands', 1],
  ['redisIn', 'bytes in', 0],
  ['redisOut', 'bytes out', 0],
  ['redisCpuUs', 'CPU µs', 0],
  ['messages', 'MongoDB messages', 1],
  ['mongodbIn', 'bytes in', 0],
  ['mongodbOut', 'bytes out', 0],
];

const mapFigures = (of: (name: keyof Figures) => number): Figures =>
  Object.fromEntries(columns.map(([name]) => [name, of(name)])) as Record<keyof Figures, number>;

const head = ['', ...columns.map(([, title]) => title)];

const row = (title: string, figures: Figures): string[] => [
  title,
  ...columns.map(([name, , digits]) => figures[name].toFixed(digits)),
];
