import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { TradedRange, VenueMarket } from '../../../../storage/exchanges/trading-venue.js';
import type { FollowedPair } from './followed-pair.js';

const mostAtOnce = 4;
const longestMs = 3_000;

/** What was missed of a pair; `range` is null where nothing was traded. */
export interface MissedRange {
  each: FollowedPair;
  range: TradedRange | null;
}

/** The extremes of what pairs have missed. Those that the market does not tell within some seconds are left out. */
export async function missedRanges(
  { range }: Pick<VenueMarket, 'range'>,
  pairs: readonly FollowedPair[],
): Promise<MissedRange[]> {
  const found: MissedRange[] = [];
  const ended = new AbortController();
  const limit = pLimit(mostAtOnce);
  const all = pairs.map((each) =>
    limit(async () => {
      if (ended.signal.aborted) return;
      const missed = (await range?.(each.pair, each.missedSinceMs!)) ?? null;
      if (!ended.signal.aborted) found.push({ each, range: missed });
    }).catch(() => undefined),
  );
  const late = pause(longestMs, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([Promise.all(all), late]);
  ended.abort();
  return found;
}
