import { quantile } from '../../compute/metrics/quantile.js';
import { readTailRisk } from '../../compute/risk/tail-risk.js';
import { pairsOf } from '../support/candles/pairs.js';
import { clusteredVolatility } from '../support/processes/clustered-volatility.js';
import { independentReturns } from '../support/processes/independent-returns.js';
import { jumps } from '../support/processes/jumps.js';
import { endsOf, type IntervalClaim } from './claim.js';
import { longRun } from './long-run.js';

/** The interval of the loss that 95 of 100 returns over so many days stay below, from a past of `count` - 1 days. */
export const tailRiskClaim = (name: string, days: number, count: number): IntervalClaim => ({
  name: `tail-risk: value at risk of ${name}`,
  says: 'interval',
  wide: 'the past may hold no sign of clusters that are to come',
  processes: [independentReturns, jumps, clusteredVolatility],
  count,
  interval: '1d',
  quickSeries: 60,
  estimate([candles]) {
    const question = { weights: { BTC: 1 }, lookbackDays: 1_825 };
    const { horizons } = readTailRisk(pairsOf({ BTC: candles }), '1d', question);
    const loss = horizons.find((each) => each.days === days)!.losses[0].historical;
    return endsOf(loss?.varLowPercent, loss?.varHighPercent);
  },
  truth(process) {
    const { close } = longRun(process, { interval: '1d' });
    const returns = close.subarray(days).map((price, i) => price / close[i] - 1);
    return -100 * quantile(returns.sort(), 0.05);
  },
});
