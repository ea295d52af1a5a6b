import { endsOf } from '../claim.js';
import { longRun } from '../long-run.js';
import { seasonIntervalClaim } from '../season-interval-claim.js';

/** The share of hours of one kind in which price rises. */
export const seasonalityRises = seasonIntervalClaim('share of rises in an hour', 'hour', {
  ends: ({ upLowPercent, upHighPercent }) => endsOf(upLowPercent, upHighPercent),
  truth(process) {
    const { close } = longRun(process, { interval: '1h' });
    const rises = close.reduce((sum, price, i) => sum + Number(i > 0 && price > close[i - 1]), 0);
    return (100 * rises) / (close.length - 1);
  },
});
