import { runBacktest } from '../../../compute/backtest/engine.js';
import { resampleRun } from '../../../compute/backtest/monte-carlo.js';
import { computeTargets } from '../../../compute/model/strategy.js';
import { emaCross } from '../../../compute/strategies/ema-cross.js';
import { usualMartingales } from '../../support/processes/usual-martingales.js';
import type { VerdictClaim } from '../claim.js';

const costs = { feeRate: 0, slippageRate: 0 };
const params = { fast: 5, slow: 20 };
const from = emaCross.ready(params);

/** A cross on a martingale beats random entries no more often than by chance. */
export const monteCarloEntries: VerdictClaim = {
  name: 'monte-carlo: better than random entries',
  says: 'falseAlarm',
  processes: usualMartingales,
  count: 520,
  interval: '1d',
  quickSeries: 40,
  flags([candles], seed) {
    const run = runBacktest(candles, computeTargets(emaCross, candles, params), from, costs);
    const entries = resampleRun(candles, run, from, { costs, paths: 300, seed }).randomEntries;
    return entries && entries.pValue < 0.05;
  },
};
