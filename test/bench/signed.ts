import { Agent, request } from 'node:http';
import { openStorage } from '../../storage/index.js';
import { Prices } from '../../storage/candles/prices.js';
import { connected, failFast, openRedis } from '../../storage/servers/redis.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { signatureOf, testSecret } from '../support/gateway/signed.js';
import { gatewayModule, jobsModule, withBenchService, type BenchService } from './bench-service.js';
import { measure, ms, percentile, printTable } from './measure.js';

const coinsOfBurst = 20;
const callers = 500;
const bursts = 6;
const warmUps = 2;
/** Each burst has coins of its own: nobody has asked what it asks. */
const coins = Array.from({ length: coinsOfBurst * (bursts + warmUps) }, (_, n) => `A${n}`);
const env = { MARKET: 'demo', AI_API_SECRETS: testSecret };

/** Surface D over HTTP: bursts of risk assessments, and prices against a bare Koa handler with the same read. */
export async function benchSigned(): Promise<void> {
  await withBenchService(async (service) => {
    await prepare(service);
    const [gateway, bare] = await Promise.all([
      service.start('gateway', gatewayModule, [], env),
      service.start('bare Koa', new URL('./bare-price.js', import.meta.url)),
      service.start('compute', jobsModule, ['compute'], env),
    ]);
    await benchBursts(gateway.facts.url);
    await benchPrices(service, { bare: bare.facts.url, gateway: gateway.facts.url });
  });
}

async function prepare({ mongodbUrl }: BenchService): Promise<void> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  for (const [seed, base] of ['BTC', ...coins].entries())
    await storage.candles.add({ market: 'demo', base, quote: 'USDT' }, randomCandles(2_000, { seed }));
  await storage.close();
}

/** 500 callers at once, 25 of each coin: all computed anew in one table row, all known in the other. */
async function benchBursts(url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const ask = (coin: string, side: string) =>
    send(url, `/v3/ai/assess_risk?coin=${coin}&trade_side=${side}`, agent);
  // The node has the candles, and has assessed none of them on this side.
  for (const coin of coins) await ask(coin, 'short');
  const burst = (from: number) =>
    Promise.all(
      Array.from({ length: callers }, async (_, n) => {
        const started = performance.now();
        await ask(coins[from + (n % coinsOfBurst)], 'long');
        return performance.now() - started;
      }),
    );
  const rows = [['', 'p50', 'p99', 'longest']];
  for (const [name, step] of [
    ['computed anew', coinsOfBurst],
    ['known already', 0],
  ] as const) {
    const durations: number[] = [];
    for (let n = 0; n < warmUps + bursts; n++) {
      const taken = await burst(n * step);
      if (n >= warmUps) durations.push(...taken);
    }
    rows.push([name, ...[0.5, 0.99, 1].map((share) => ms(percentile(durations, share)))]);
  }
  agent.destroy();
  printTable(`assess_risk, ${callers} callers at once over ${coinsOfBurst} coins, ${bursts} times`, rows);
}

/** Taking turns, so that both have the same machine. */
async function benchPrices(
  { redisUrl }: BenchService,
  urls: { bare: string; gateway: string },
): Promise<void> {
  const redis = openRedis(redisUrl, failFast);
  await connected(redis);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const durations = { bare: [] as number[], gateway: [] as number[] };
  for (let round = -3; round < 20; round++) {
    const tick = { base: 'BTC', quote: 'USDT', price: 61_234.5, change24hPercent: null, time: Date.now() };
    await new Prices(redis).put('demo', [tick]);
    for (const who of ['gateway', 'bare'] as const) {
      const taken = await measure(100, 0, () => send(urls[who], '/v3/ai/get_price?base_asset=BTC', agent));
      if (round >= 0) durations[who].push(...taken);
    }
  }
  agent.destroy();
  redis.disconnect();
  const row = (who: 'bare' | 'gateway') => [
    who,
    ...[0.5, 0.99].map((share) => ms(percentile(durations[who], share))),
  ];
  const ratio = (percentile(durations.gateway, 0.5) / percentile(durations.bare, 0.5)).toFixed(2);
  printTable('get_price, one caller', [
    ['', 'p50', 'p99'],
    row('bare'),
    row('gateway'),
    ['gateway / bare', ratio, ''],
  ]);
}

function send(url: string, target: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url + target, { agent, headers: signatureOf({ target }) }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`));
      answer.resume().on('end', resolve);
    });
    sent.on('error', reject).end();
  });
}
