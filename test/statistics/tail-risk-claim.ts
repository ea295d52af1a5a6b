import { readTailRisk } from '../../compute/risk/tail-risk.js';
import { pairsOf } from '../support/candles/pairs.js';
import { endsOf, type IntervalClaim } from './claim.js';
import { lossClaim } from './loss-claim.js';

/** The interval that tail-risk answers for returns over so many days, from a past of `count` - 1 days. */
export const tailRiskClaim = (name: string, days: number, count: number): IntervalClaim =>
  lossClaim(days, {
    name: `tail-risk: value at risk of ${name}`,
    count,
    quickSeries: 60,
    estimate([candles]) {
      const question = { weights: { BTC: 1 }, lookbackDays: 1_825 };
      const { horizons } = readTailRisk(pairsOf({ BTC: candles }), '1d', question);
      const loss = horizons.find((each) => each.days === days)!.losses[0].historical;
      return endsOf(loss?.varLowPercent, loss?.varHighPercent);
    },
  });
