import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { intervalMs, intervals, type Interval } from '../../../compute/model/interval.js';
import { resampleCandles } from '../../../compute/model/resample.js';
import { makeDemoHistory } from '../../../compute/demo/make-demo-history.js';
import { DemoMarket } from '../../../compute/demo/demo-market.js';

/** Where the series end: inside a 4h and a 1d candle, and on a day that three and six months earlier lack. */
const untilMs = Date.UTC(2023, 11, 31, 7);

/** Large prices, a volatile asset, tiny prices with less than a year of history, and a pair against BTC. */
export const demoPairs = ['BTC_USDT', 'SOL_USDT', 'PEPE_USDT', 'ETH_BTC'] as const;

let history: Map<string, Candles> | undefined;

/** The 1h candles of every pair of the demo market, by names such as BTC_USDT. */
export const demoHours = (): ReadonlyMap<string, Candles> => (history ??= makeHours());

/** Candles of the demo market from the pair's listing to the end of 2023. */
export function demoCandles(pair: (typeof demoPairs)[number], interval: Interval): Candles {
  const hours = demoHours().get(pair)!;
  if (interval === '1h') return hours;
  const range = { bucketMs: intervalMs(interval), firstMs: hours.time[0], endMs: untilMs };
  return resampleCandles(hours, range);
}

/** Every pair with every interval. */
export const demoSeries = demoPairs.flatMap((pair) => intervals.map((interval) => ({ pair, interval })));

function makeHours(): Map<string, Candles> {
  const market = new DemoMarket();
  const startMs = market.nextMs;
  const { pairs } = market;
  const all = makeDemoHistory(market, untilMs);
  return new Map(
    pairs.map(({ base, quote, firstMs }, index) => {
      const listed = Math.max(0, (firstMs - startMs) / intervalMs('1h'));
      return [`${base}_${quote}`, sliceCandles(all[index], listed, all[index].time.length)];
    }),
  );
}
