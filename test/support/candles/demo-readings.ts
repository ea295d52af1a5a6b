import { sliceCandles } from '../../../compute/model/candles.js';
import type { Interval } from '../../../compute/model/interval.js';
import type { SeriesQuestion } from '../../../compute/task.js';
import { demoCandles, type demoPairs } from './demo-candles.js';
import { readFixture } from './fixture.js';

/** What is to be known once the first `candles` candles of a demo pair and interval have closed, by reading. */
interface Point {
  pair: (typeof demoPairs)[number];
  interval: Interval;
  candles: number;
  readings: Record<string, unknown>;
}

let points: Point[] | undefined;

/** A question about demo candles, and the answer of an independent implementation; see test/fixtures/make-readings.py. */
export interface ExpectedReading<Reading, Params> {
  title: string;
  question: SeriesQuestion<Params>;
  expected: Reading;
}

export function expectedReadings<Reading, Params = object>(
  name: string,
  params = {} as Params,
): ExpectedReading<Reading, Params>[] {
  points ??= (readFixture('demo-readings.json.gz') as { points: Point[] }).points;
  return points.map(({ pair, interval, candles: count, readings }) => ({
    title: `${pair} ${interval}, ${count} candles`,
    question: { candles: sliceCandles(demoCandles(pair, interval), 0, count), interval, params },
    expected: readings[name] as Reading,
  }));
}
