import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Seasonality } from '../../../compute/market/seasonality.js';
import type { Candles } from '../../../compute/model/candles.js';
import { demoCandles } from './demo-candles.js';
import { dropCandles } from './drop-candles.js';
import { projectRoot } from '../harness/paths.js';

export const fixturePairs = ['BTC_USDT', 'PEPE_USDT'] as const;

/** What make-seasonality.py finds, by `pair by`. */
export function readSeasonalityFixture(): Record<
  string,
  Pick<Seasonality, 'count' | 'meanPercent' | 'buckets'>
> {
  const packed = readFileSync(join(projectRoot, 'test/fixtures/seasonality.json.gz'));
  return JSON.parse(gunzipSync(packed).toString()) as ReturnType<typeof readSeasonalityFixture>;
}

/** The candles it rests on: 1h of the demo market with gaps of two hours. */
export const fixtureCandles = (pair: (typeof fixturePairs)[number]): Candles =>
  dropCandles(demoCandles(pair, '1h'), (_, timeMs) => [5, 6].includes((timeMs / 3_600_000) % 97));
