import type { Document } from 'mongodb';
import type { Candles } from '../../../compute/model/candles.js';
import { openMongo } from '../../../storage/servers/mongo.js';
import { openTestService, type TestService, type TestServiceOptions } from '../gateway/gateway.js';
import { randomCandles } from './random-candles.js';

/** A service whose market is 500 days of BTC/USDT, 100 of ETH against USDT and BTC, and 5 hours of NEW/USDT. */
export interface TestMarket {
  service: TestService;
  /** The 1h candles of BTC/USDT. */
  btc: Candles;
  /** A signed-in user's. */
  token: string;
}

const market = 'csv';
const pairs = [
  { base: 'BTC', quote: 'USDT', hours: 24 * 500, seed: 1 },
  { base: 'ETH', quote: 'USDT', hours: 24 * 100, seed: 2 },
  { base: 'ETH', quote: 'BTC', hours: 24 * 100, seed: 3 },
  { base: 'NEW', quote: 'USDT', hours: 5, seed: 4 },
];
const collections = ['candles', 'series'];

/** The stored documents of the market, made once in a process, as are its candles of BTC. */
let documents: Document[][] | undefined;
let btc: Candles | undefined;

export async function openTestMarket(options: TestServiceOptions = {}): Promise<TestMarket> {
  const service = await openTestService(options);
  const { db, close } = openMongo(service.mongodbUrl, { timeoutMs: 20_000 });
  if (documents)
    await Promise.all(collections.map((name, n) => db.collection(name).insertMany(documents![n])));
  else {
    await addCandles(service);
    documents = await Promise.all(collections.map((name) => db.collection(name).find().toArray()));
  }
  await close();
  return { service, btc: structuredClone((btc ??= candlesOf(pairs[0]))), token: await service.signIn() };
}

async function addCandles({ storage }: TestService): Promise<void> {
  for (const pair of pairs)
    await storage.candles.add({ market, base: pair.base, quote: pair.quote }, candlesOf(pair));
}

const candlesOf = ({ hours, seed }: (typeof pairs)[number]): Candles =>
  quoted(randomCandles(hours, { seed }));

/** The candles with prices of ten digits, as exchanges quote them: answers show them as they are stored. */
function quoted(candles: Candles): Candles {
  for (const name of ['open', 'high', 'low', 'close', 'volume'] as const)
    candles[name].forEach((value, i) => (candles[name][i] = Number(value.toPrecision(10))));
  return candles;
}
