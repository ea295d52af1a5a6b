import { compareStrategies } from '../../../compute/backtest/compare.js';
import { strategyNames } from '../../../compute/strategies/index.js';
import { pairsOf } from '../../support/candles/pairs.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { independentPair } from '../../support/processes/independent-pair.js';
import { jumps } from '../../support/processes/jumps.js';
import type { VerdictClaim } from '../claim.js';

/** On martingales the best of a comparison does not surely beat the luckiest. */
export const compareBest: VerdictClaim = {
  name: 'compare: deflated Sharpe ratio of the best',
  says: 'falseAlarm',
  processes: [independentPair, jumps, clusteredVolatility],
  count: 600,
  interval: '1d',
  quickSeries: 60,
  flags(series) {
    const strategies = strategyNames.map((name) => ({ name, params: {} }));
    const pairs = pairsOf(Object.fromEntries(series.map((candles, n) => ['AB'[n], candles])));
    const costs = { feeRate: 0, slippageRate: 0 };
    const { best } = compareStrategies(pairs, '1d', { strategies, period: '1y', costs });
    return best && best.deflatedSharpe > 0.95;
  },
};
