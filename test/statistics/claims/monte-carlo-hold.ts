import { runBacktest } from '../../../compute/backtest/engine.js';
import { resampleRun } from '../../../compute/backtest/monte-carlo.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { buyAndHold } from '../../../compute/strategies/buy-and-hold.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import type { IntervalClaim } from '../claim.js';
import { longRun } from '../long-run.js';

const costs = { feeRate: 0, slippageRate: 0 };
const count = 500;

/** Nine of ten bands of resampled candles hold the median total return of buy and hold over as many candles. */
export const monteCarloHold: IntervalClaim = {
  name: 'monte-carlo: total return of buy and hold',
  says: 'interval',
  nominal: 0.9,
  processes: usualMartingales,
  count,
  interval: '1d',
  quickSeries: 60,
  estimate([candles], seed) {
    const run = runBacktest(candles, computeTargets(buyAndHold, candles, {}), 0, costs);
    const band = resampleRun(candles, run, 0, { costs, paths: 300, seed }).candles?.totalReturn;
    return band ? { low: band.p5, high: band.p95 } : null;
  },
  truth(process) {
    const { close } = longRun(process, { interval: '1d' });
    const perCandle = Math.log(close[close.length - 1] / 100) / close.length;
    return Math.expm1(perCandle * count) * 100;
  },
};
