import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { TradedRange, VenueMarket } from '../../../../storage/exchanges/trading-venue.js';
import type { FollowedPair } from './followed-pair.js';

const mostAtOnce = 4;
const longestMs = 3_000;

/** The trades that were missed of a pair, as a range; null if nothing was traded. */
export interface MissedRange {
  each: FollowedPair;
  range: TradedRange | null;
  /** When (ms) it was requested. */
  askedMs: number;
}

/** The price ranges of the trades that were missed of these pairs. A pair whose range does not come within 3 s is left out. `now`: the time of the exchange. */
export async function missedRanges(
  { range }: Pick<VenueMarket, 'range'>,
  pairs: readonly FollowedPair[],
  now: () => number,
): Promise<MissedRange[]> {
  if (pairs.length === 0) return [];
  const found: MissedRange[] = [];
  const ended = new AbortController();
  const limit = pLimit(mostAtOnce);
  const all = pairs.map((each) =>
    limit(async () => {
      const [askedMs, sinceMs] = [now(), each.missedSinceMs];
      if (ended.signal.aborted || sinceMs === null) return;
      const missed = (await range?.(each.pair, sinceMs)) ?? null;
      if (!ended.signal.aborted) found.push({ each, range: missed, askedMs });
    }).catch(() => undefined),
  );
  const late = pause(longestMs, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([Promise.all(all), late]);
  ended.abort();
  return found;
}
