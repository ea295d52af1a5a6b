import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { computeIndicator } from '../../../compute/model/indicator.js';
import { createCandles, type Candles } from '../../../compute/model/candles.js';
import { assertNear } from '../../support/numbers/assert-near.js';
import { indicatorByName } from '../../support/candles/indicators-by-name.js';
import { describeWithSharedData, sharedPath, sharedRows } from '../../support/candles/shared-data.js';

type Row = Record<string, number | null>;

function readStock(): Candles {
  const rows = sharedRows('reference/skender/default.csv.gz');
  const candles = createCandles(rows.length);
  const columns = ['open', 'high', 'low', 'close', 'volume'] as const;
  rows.forEach((row, i) => columns.forEach((name, c) => (candles[name][i] = Number(row[c + 1]))));
  return candles;
}

const readResults = (id: string) => {
  const path = sharedPath(`reference/skender/results/${id}.standard.json.gz`);
  return JSON.parse(gunzipSync(readFileSync(path)).toString()) as Row[];
};

interface Comparison {
  file: string;
  indicator: string;
  params: Record<string, number>;
  /** Output of the indicator, and what Skender calls it; of several, the one that has a value. */
  outputs: Record<string, string[]>;
  /** By how many candles Skender's value comes later. */
  later?: number;
  /** From which candle on, where Skender's averages start elsewhere and have converged by then. */
  from?: number;
  floor?: number;
}

// Skender's Donchian channel leaves the current candle out; its VWAP runs over the whole series, as ours does where
// all candles are of one day (here their time is 0).
const comparisons: Comparison[] = [
  { file: 'cmf', indicator: 'cmf', params: { period: 20 }, outputs: { cmf: ['cmf'] } },
  {
    file: 'donchian',
    indicator: 'donchian',
    params: { period: 20 },
    outputs: { upper: ['upperBand'], middle: ['centerline'], lower: ['lowerBand'] },
    later: 1,
  },
  {
    file: 'ichimoku',
    indicator: 'ichimoku',
    params: { tenkan: 9, kijun: 26, senkou: 52, shift: 26 },
    outputs: {
      tenkan: ['tenkanSen'],
      kijun: ['kijunSen'],
      senkou_a: ['senkouSpanA'],
      senkou_b: ['senkouSpanB'],
    },
  },
  {
    file: 'keltner',
    indicator: 'keltner',
    params: { period: 20, reach: 10, width: 2 },
    outputs: { upper: ['upperBand'], middle: ['centerline'], lower: ['lowerBand'] },
  },
  {
    file: 'slope',
    indicator: 'linear_regression_slope',
    params: { period: 14 },
    outputs: { slope: ['slope'] },
    floor: 1e-11,
  },
  {
    file: 'stoch-rsi',
    indicator: 'stoch_rsi',
    params: { period: 14, range: 14, signal: 3 },
    outputs: { k: ['stochRsi'], d: ['signal'] },
    floor: 1e-11,
  },
  {
    file: 'supertrend',
    indicator: 'supertrend',
    params: { period: 10, width: 3 },
    outputs: { supertrend: ['superTrend'] },
  },
  { file: 'vwap', indicator: 'session_vwap', params: {}, outputs: { vwap: ['vwap'] } },
];

describeWithSharedData('indicators on a stock, against Skender (shared/data/reference/skender)', () => {
  const candles = readStock();
  for (const { file, indicator, params, outputs, later = 0, from = 0, floor = 0 } of comparisons) {
    it(`${indicator} is equal to 1e-9 from the later of the two first values on`, () => {
      const definition = indicatorByName(indicator);
      const actual = computeIndicator(definition, candles, params);
      const rows = readResults(file);
      for (const [output, names] of Object.entries(outputs)) {
        for (let i = Math.max(from, definition.warmup(params, output)); i + later < rows.length; i++) {
          const expected = names.map((name) => rows[i + later][name]).find((value) => value !== null);
          if (expected === undefined && i < definition.warmup(params, output) + 5) continue;
          assertNear(actual[output][i], expected ?? null, floor, `${output} at ${i}`);
        }
      }
    });
  }
});
