import { compareStrategies } from '../../../compute/backtest/compare.js';
import { strategyNames } from '../../../compute/strategies/index.js';
import { pairsOf } from '../../support/candles/pairs.js';
import { clusteredVolatility } from '../../support/processes/clustered-volatility.js';
import { driftingRegimes } from '../../support/processes/drifting-regimes.js';
import { independentReturns } from '../../support/processes/independent-returns.js';
import { jumps } from '../../support/processes/jumps.js';
import type { VerdictClaim } from '../claim.js';

/** On a martingale no strategy of a comparison is significant. A whole comparison is one report. */
export const compareSignificant: VerdictClaim = {
  name: 'compare: significant',
  says: 'falseAlarm',
  processes: [independentReturns, jumps, clusteredVolatility, driftingRegimes],
  count: 600,
  interval: '1d',
  quickSeries: 60,
  flags([candles]) {
    const strategies = strategyNames.map((name) => ({ name, params: {} }));
    const costs = { feeRate: 0, slippageRate: 0 };
    const { runs } = compareStrategies(pairsOf({ A: candles }), '1d', { strategies, period: '1y', costs });
    return runs.some(({ significant }) => significant);
  },
};
