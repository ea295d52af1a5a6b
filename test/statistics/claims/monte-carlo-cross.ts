import { runBacktest } from '../../../compute/backtest/engine.js';
import { resampleRun } from '../../../compute/backtest/monte-carlo.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import type { Candles } from '../../../compute/model/candles.js';
import { emaCross } from '../../../compute/strategies/ema-cross.js';
import { median } from '../../../compute/metrics/quantile.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import type { IntervalClaim } from '../claim.js';

const costs = { feeRate: 0, slippageRate: 0 };
const params = { fast: 5, slow: 20 };
const draw = { count: 520, interval: '1d' } as const;
const from = emaCross.ready(params);

const trade = (candles: Candles) =>
  runBacktest(candles, computeTargets(emaCross, candles, params), from, costs);

/** Nine of ten bands of resampled candles hold the median total return of a strategy that trades. */
export const monteCarloCross: IntervalClaim = {
  name: 'monte-carlo: total return of an EMA cross',
  says: 'interval',
  nominal: 0.9,
  wide: 'a slowly growing drift is taken for chance',
  processes: [independentReturns, clusteredVolatility],
  ...draw,
  quickSeries: 60,
  estimate([candles], seed) {
    const band = resampleRun(candles, trade(candles), from, { costs, paths: 300, seed }).candles?.totalReturn;
    return band ? { low: band.p5, high: band.p95 } : null;
  },
  truth(process) {
    const totals = Array.from({ length: 2_000 }, (_, n) => {
      const { equity } = trade(process.draw({ ...draw, seed: 0xf0000000 + n })[0]);
      return (equity[equity.length - 1] / equity[0] - 1) * 100;
    });
    return median(totals)!;
  },
};
