import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { candleColumns, createCandles, type Candles } from '../../../compute/model/candles.js';
import { sharedPath } from './shared-data.js';

/** The series whose indicators shared/data/reference/talib holds. */
export const talibSeries = ['BTC_USDT-1d', 'ETH_USDT-4h', 'PEPE_USDT-4h'] as const;

/** What TA-Lib's running sums leave of percents that are gone: the files say 1e-13 where the value is 0. */
const residue = 1e-11;

/** Column of the file: indicator, output, parameters, and how far off a value may be where 1e-9 of it is less. */
export const talibColumns: Record<string, [string, string, Record<string, number>, number?]> = {
  ...Object.fromEntries([10, 20, 50, 200].map((period) => [`sma_${period}`, ['sma', 'sma', { period }]])),
  ...Object.fromEntries(
    [9, 12, 20, 26, 50, 200].map((period) => [`ema_${period}`, ['ema', 'ema', { period }]]),
  ),
  wma_20: ['wma', 'wma', { period: 20 }],
  dema_20: ['dema', 'dema', { period: 20 }],
  tema_20: ['tema', 'tema', { period: 20 }],
  rsi_14: ['rsi', 'rsi', { period: 14 }],
  rsi_7: ['rsi', 'rsi', { period: 7 }],
  macd_12_26: ['macd', 'macd', { fast: 12, slow: 26, signal: 9 }],
  macd_signal_9: ['macd', 'signal', { fast: 12, slow: 26, signal: 9 }],
  macd_hist: ['macd', 'histogram', { fast: 12, slow: 26, signal: 9 }],
  adx_14: ['adx', 'adx', { period: 14 }],
  plus_di_14: ['adx', 'pdi', { period: 14 }],
  minus_di_14: ['adx', 'mdi', { period: 14 }],
  sar_002_02: ['psar', 'psar', { step: 0.02, limit: 0.2 }],
  atr_14: ['atr', 'atr', { period: 14 }],
  natr_14: ['natr', 'natr', { period: 14 }],
  bb_upper_20_2: ['bollinger', 'upper', { period: 20, width: 2 }],
  bb_middle_20: ['bollinger', 'middle', { period: 20, width: 2 }],
  bb_lower_20_2: ['bollinger', 'lower', { period: 20, width: 2 }],
  stoch_k_14_3: ['stochastic', 'k', { period: 14, smoothing: 3, signal: 3 }, residue],
  stoch_d_3: ['stochastic', 'd', { period: 14, smoothing: 3, signal: 3 }, residue],
  stochf_k_14: ['stochastic', 'k', { period: 14, smoothing: 1, signal: 3 }, residue],
  stochf_d_3: ['stochastic', 'd', { period: 14, smoothing: 1, signal: 3 }, residue],
  willr_14: ['williams_r', 'williams_r', { period: 14 }],
  cci_20: ['cci', 'cci', { period: 20 }],
  roc_10: ['roc', 'roc', { period: 10 }],
  obv: ['obv', 'obv', {}],
  mfi_14: ['mfi', 'mfi', { period: 14 }, residue],
  aroon_down_25: ['aroon', 'down', { period: 25 }],
  aroon_up_25: ['aroon', 'up', { period: 25 }],
  stddev_20: ['standard_deviation', 'deviation', { period: 20 }],
};

/** Columns of indicators this project does not have, and MFI by arithmetic that TA-Lib does not use. */
export const talibOtherColumns = [
  'dx_14',
  'trange',
  'mom_10',
  'ad',
  'mfi_14_naive_float',
  'ultosc_7_14_28',
  'trix_15',
];

/** The candles of one of the series, and every column of its file; null before a value. */
export function readTalibReference(series: string): {
  candles: Candles;
  reference: Map<string, (number | null)[]>;
} {
  const path = sharedPath(`reference/talib/${series}.indicators.csv.gz`);
  const [header, ...rows] = gunzipSync(readFileSync(path))
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const column = (name: string) =>
    rows.map((row) => {
      const cell = row[header.indexOf(name)];
      return cell === '' || cell === undefined ? null : Number(cell);
    });
  const candles = createCandles(rows.length);
  for (const name of candleColumns) candles[name].set(column(name).map(Number));
  const names = header.slice(candleColumns.length);
  return { candles, reference: new Map(names.map((name) => [name, column(name)])) };
}
