import type { Candles } from '../../../compute/model/candles.js';

/** What a price did within `hours` before its last close, by rows and their times; null where the history is shorter. */
export function naivePerformance(candles: Candles, hours: number, candleMs: number) {
  const rows = Array.from(candles.time, (time, i) => ({
    closed: time + candleMs,
    high: candles.high[i],
    low: candles.low[i],
    close: candles.close[i],
  }));
  const last = rows[rows.length - 1];
  const start = last.closed - hours * 3_600_000;
  const before = rows.filter(({ closed }) => closed <= start);
  if (before.length === 0) return null;
  const within = rows.filter(({ closed }) => closed > start);
  const path = [before[before.length - 1], ...within].map(({ close }) => close);
  const moves = path.slice(1).map((close, i) => (close - path[i]) / path[i]);
  const mean = moves.reduce((a, b) => a + b, 0) / moves.length;
  const variance = moves.reduce((sum, move) => sum + (move - mean) ** 2, 0) / (moves.length - 1);
  const years = (last.closed - before[before.length - 1].closed) / (8_760 * 3_600_000);
  // Mean and variance of a year are the sums of those of its returns.
  const [yearlyMean, yearlyVariance] = [(mean * moves.length) / years, (variance * moves.length) / years];
  const falls = path.map((close, i) => (close / Math.max(...path.slice(0, i + 1)) - 1) * 100);
  return {
    returns: moves.length,
    returnPercent: (100 * (last.close - path[0])) / path[0],
    volatilityPercent: 100 * Math.sqrt(yearlyVariance),
    sharpe: yearlyMean / Math.sqrt(yearlyVariance),
    maxDrawdownPercent: Math.min(...falls),
    fromHighPercent: (100 * last.close) / Math.max(...within.map(({ high }) => high)) - 100,
    fromLowPercent: (100 * last.close) / Math.min(...within.map(({ low }) => low)) - 100,
  };
}
