import { createHash } from 'node:crypto';
import { sliceCandles } from '../../compute/model/candles.js';
import { intervals } from '../../compute/model/interval.js';
import { CandleCache } from '../../jobs/node/candle-cache.js';
import { openStorage, type Storage } from '../../storage/index.js';
import type { Pair, SeriesKey } from '../../storage/candles/series.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { withBenchService } from './bench-service.js';
import { CountingProxy } from './counting-proxy.js';
import { ms, percentile, printTable } from './measure.js';

const length = 39_400;
const rounds = 3;
/** The hour after the history ends a day: it brings a candle on every interval. */
const startMs = Date.UTC(2020, 0, 1, 7);
const pairs = Array.from({ length: 21 }, (_, n): Pair => ({ market: 'csv', base: `A${n}`, quote: 'USDT' }));
const hours = pairs.map((_, seed) => randomCandles(length + 1, { seed, startMs }));

interface Bench {
  /** Whose bytes are counted. */
  reader: Storage;
  writer: Storage;
  proxy: CountingProxy;
}

/** Brings the named series up to date, those of the cache where it appends. */
type Reload = (reader: Storage, keys: readonly SeriesKey[], cache: CandleCache) => Promise<unknown>;

/** All of it and its hash, as it was before series were appended to. */
const whole: Reload = (reader, keys) =>
  Promise.all(
    keys.map(async (key) => {
      const { candles } = (await reader.candles.load(key))!;
      return createHash('sha256').update(new Uint8Array(candles.time.buffer)).digest('hex');
    }),
  );

const append: Reload = (reader, keys, cache) =>
  Promise.all(keys.map(async (key) => cache.get(key, (await reader.series.find(key))!.digest)));

/** What it costs a node to have the next candle of series that it has: reading them whole, and appending. */
export async function benchCandles(): Promise<void> {
  await withBenchService(async ({ mongodbUrl }) => {
    const proxy = new CountingProxy(mongodbUrl);
    const [reader, writer] = [await proxy.open(), mongodbUrl].map((url) =>
      openStorage(url, { timeoutMs: 60_000 }),
    );
    try {
      await run({ reader, writer, proxy });
    } finally {
      await Promise.all([reader.close(), writer.close()]);
      await proxy.close();
    }
  });
}

async function run({ reader, writer, proxy }: Bench): Promise<void> {
  const one: SeriesKey[] = [{ ...pairs[0], interval: '1h' }];
  const every = pairs.flatMap((pair) => intervals.map((interval) => ({ ...pair, interval })));
  const cases = [
    { name: '1 series of 1h, whole', reload: whole, keys: one },
    { name: '1 series of 1h, append', reload: append, keys: one },
    { name: '21 pairs on 3 intervals, whole', reload: whole, keys: every },
    { name: '21 pairs on 3 intervals, append', reload: append, keys: every },
  ].map((each) => ({ ...each, durations: [] as number[], bytes: [] as number[] }));
  await store(writer, 0, length);
  /** Nodes that have the series but for the last candle, one for each round. */
  const nodes = cases.map(() =>
    Array.from({ length: rounds }, () => new CandleCache(reader.candles, 2 ** 30)),
  );
  for (const [n, { reload, keys }] of cases.entries())
    for (const cache of nodes[n]) if (reload === append) await reload(reader, keys, cache);
  await store(writer, length, length + 1);
  for (let round = 0; round < rounds; round++) {
    for (const [n, { reload, keys, durations, bytes }] of cases.entries()) {
      const before = proxy.carried.bytesOut;
      const started = performance.now();
      await reload(reader, keys, nodes[n][round]);
      durations.push(performance.now() - started);
      bytes.push(proxy.carried.bytesOut - before);
    }
  }
  printTable(`the next candle of series of ${length} hours, ${rounds} times`, [
    ['', 'p50', 'longest', 'read from MongoDB'],
    ...cases.map(({ name, durations, bytes }) => [
      name,
      ms(percentile(durations, 0.5)),
      ms(Math.max(...durations)),
      `${(percentile(bytes, 0.5) / 1_000).toFixed(1)} kB`,
    ]),
  ]);
}

/** Stores the hours from index `from` up to, not including, `to` of every pair. */
async function store({ candles }: Storage, from: number, to: number): Promise<void> {
  for (const [n, pair] of pairs.entries()) await candles.add(pair, sliceCandles(hours[n], from, to));
}
