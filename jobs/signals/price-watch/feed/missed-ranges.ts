import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { TradedRange, VenueMarket } from '../../../../storage/exchanges/trading-venue.js';
import type { FollowedPair } from './followed-pair.js';

const mostAtOnce = 4;
/** The prices of pairs wait for the look-up no longer than this. */
const longestMs = 3_000;

/** The extremes of what pairs have missed; those that the market does not tell in time are left out, as those without trades. */
export async function missedRanges(
  market: VenueMarket,
  pairs: readonly FollowedPair[],
): Promise<Map<FollowedPair, TradedRange>> {
  const found = new Map<FollowedPair, TradedRange>();
  if (!market.range || pairs.length === 0) return found;
  const limit = pLimit(mostAtOnce);
  const ended = new AbortController();
  const all = pairs.map((each) =>
    limit(async () => {
      const range = ended.signal.aborted
        ? null
        : await market.range!(each.pair, each.knownMs).catch(() => null);
      if (range && !ended.signal.aborted) found.set(each, range);
    }),
  );
  await Promise.race([
    Promise.all(all),
    pause(longestMs, undefined, { signal: ended.signal }).catch(() => undefined),
  ]);
  ended.abort();
  return found;
}
