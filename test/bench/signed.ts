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

interface Urls {
  bare: string;
  gateway: string;
}

/** Surface D over HTTP: bursts of risk assessments, and prices against a bare Koa handler with the same read. */
export async function benchSigned(): Promise<void> {
  await withBenchService(async (service) => {
    await prepare(service);
    const [gateway, bare] = await Promise.all([
      service.start('gateway', gatewayModule, [], env),
      service.start('bare Koa', new URL('./bare-price.js', import.meta.url)),
      service.start('compute', jobsModule, ['compute'], env),
    ]);
    const urls = { bare: bare.facts.url, gateway: gateway.facts.url };
    const redis = openRedis(service.redisUrl, failFast);
    await connected(redis);
    const putPrice = () => {
      const tick = { base: 'BTC', quote: 'USDT', price: 61_234.5, change24hPercent: null, time: Date.now() };
      return new Prices(redis).put('demo', [tick]);
    };
    await putPrice();
    await benchBursts(urls);
    await benchPrices(putPrice, urls);
    redis.disconnect();
  });
}

async function prepare({ mongodbUrl }: BenchService): Promise<void> {
  const storage = openStorage(mongodbUrl, { timeoutMs: 60_000 });
  await storage.migrate();
  for (const [seed, base] of ['BTC', ...coins].entries())
    await storage.candles.add({ market: 'demo', base, quote: 'USDT' }, randomCandles(2_000, { seed }));
  await storage.close();
}

/**
 * 500 callers at once, 25 of each coin: all computed anew in one table row, all known in the next. The first row is the
 * same burst of prices at bare Koa: what 500 answers cost on this machine where nothing is checked or computed.
 */
async function benchBursts(urls: Urls): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const assess = (coin: string, side: string) =>
    send(urls.gateway, `/v3/ai/assess_risk?coin=${coin}&trade_side=${side}`, agent);
  const price = () => send(urls.bare, '/v3/ai/get_price?base_asset=BTC', agent);
  // The node has the candles, and has assessed none of them on this side.
  for (const coin of coins) await assess(coin, 'short');
  const burst = (ask: (n: number) => Promise<void>) =>
    Promise.all(
      Array.from({ length: callers }, async (_, n) => {
        const started = performance.now();
        await ask(n);
        return performance.now() - started;
      }),
    );
  const coinOf = (round: number, n: number) => coins[round * coinsOfBurst + (n % coinsOfBurst)];
  const rows = [['', 'p50', 'p99', 'longest']];
  for (const [name, ask] of [
    ['bare Koa, a price', price],
    ['computed anew', (n: number, round: number) => assess(coinOf(round, n), 'long')],
    ['known already', (n: number) => assess(coinOf(0, n), 'long')],
  ] as const) {
    const durations: number[] = [];
    for (let round = 0; round < warmUps + bursts; round++) {
      const taken = await burst((n) => ask(n, round));
      if (round >= warmUps) durations.push(...taken);
    }
    rows.push([name, ...[0.5, 0.99, 1].map((share) => ms(percentile(durations, share)))]);
  }
  agent.destroy();
  printTable(`500 callers at once over ${coinsOfBurst} coins, ${bursts} times: assess_risk`, rows);
}

/** Taking turns, so that both have the same machine; both have answered thousands before, so that all code is compiled. */
async function benchPrices(putPrice: () => Promise<unknown>, urls: Urls): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const durations = { bare: [] as number[], gateway: [] as number[] };
  for (let round = -20; round < 40; round++) {
    await putPrice();
    for (const who of ['gateway', 'bare'] as const) {
      const taken = await measure(100, 0, () => send(urls[who], '/v3/ai/get_price?base_asset=BTC', agent));
      if (round >= 0) durations[who].push(...taken);
    }
  }
  agent.destroy();
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
