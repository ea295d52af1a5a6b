import type { Room } from '../../compute/model/room.js';
import type { SeriesQuestion } from '../../compute/task.js';
import { candlestickPatterns } from '../../compute/tasks/candlestick-patterns.js';
import { divergences } from '../../compute/tasks/divergences.js';
import { indicatorValues } from '../../compute/tasks/indicator-values.js';
import { momentum } from '../../compute/tasks/momentum.js';
import { supportResistance } from '../../compute/tasks/support-resistance.js';
import { technicalSummary } from '../../compute/tasks/technical-summary.js';
import { tradeLevels } from '../../compute/tasks/trade-levels.js';
import { trend } from '../../compute/tasks/trend.js';
import { volatility } from '../../compute/tasks/volatility.js';
import { volume } from '../../compute/tasks/volume.js';

/** A reading of one pair as all of them are tested: with parameters that do, and the fewest candles it takes. */
export interface SeriesTask {
  name: string;
  params: object;
  fewest: number;
  /** It refuses prices that do not move. */
  needsMovement?: true;
  run: (question: SeriesQuestion<never>, room?: Room) => unknown;
}

/** Every reading of one pair that is asked by params alone. */
export const seriesTasks: readonly SeriesTask[] = [
  { ...candlestickPatterns, params: { lookback: 20 }, fewest: 30 },
  { ...divergences, params: { lookback: 120 }, fewest: 60 },
  {
    ...indicatorValues,
    params: { indicators: [{ name: 'rsi' }, { name: 'ichimoku' }, { name: 'session_vwap' }], last: 20 },
    fewest: 1,
  },
  { ...momentum, params: {}, fewest: 60 },
  { ...supportResistance, params: { maxLevels: 8 }, fewest: 60 },
  { ...technicalSummary, params: {}, fewest: 60 },
  {
    ...tradeLevels,
    params: { side: 'long', entry: null, riskStyle: 'normal', targets: 3 },
    fewest: 60,
    needsMovement: true,
  },
  { ...trend, params: {}, fewest: 60 },
  { ...volatility, params: {}, fewest: 30 },
  { ...volume, params: {}, fewest: 21 },
];
