import { intervalMs } from '../../compute/model/interval.js';
import type { AskedGap, Feed } from '../../storage/candles/feeds.js';
import type { Series } from '../../storage/candles/series.js';
import { fillHours, type FillTools } from './fill-hours.js';

/** When gaps are requested again. */
export interface GapLimits {
  /** The pause after the first request; it doubles with each further one, up to a day. */
  pauseMs: number;
}

const hourMs = intervalMs('1h');
const dayMs = intervalMs('1d');
const maxGapsPerVisit = 20;
/** After this many answers without a row, the exchange counts as having no candles there. */
const confirmingAnswers = 2;

/**
 * Requests the gaps of a series that are due at `nowMs` again and updates `feed.gaps`: a gap with new candles is removed, a
 * gap that the exchange left empty twice is never requested again, any other is due after a longer pause. Throws as
 * `fillHours` does; `feed.gaps` then holds the results before the error.
 */
export async function repairGaps(
  tools: FillTools,
  feed: Feed,
  series: Series,
  { pauseMs }: GapLimits,
  nowMs: number,
): Promise<void> {
  feed.gaps = series.gaps.map((gap) => knownGap(feed.gaps, gap));
  const due = feed.gaps.filter(({ askAgainAt }) => askAgainAt !== null && askAgainAt <= nowMs);
  for (const gap of due.slice(0, maxGapsPerVisit)) {
    const { stored, refused } = await fillHours(tools, feed, { fromMs: gap.after + hourMs, toMs: gap.next });
    feed.refusedRows += refused;
    if (stored > 0) {
      // What is still missing appears as a new gap of the series.
      feed.gaps.splice(feed.gaps.indexOf(gap), 1);
      continue;
    }
    gap.asks++;
    if (refused === 0) gap.emptyAnswers++;
    const confirmed = gap.emptyAnswers >= confirmingAnswers;
    gap.askAgainAt = confirmed ? null : nowMs + Math.min(dayMs, pauseMs * 2 ** (gap.asks - 1));
  }
}

/** The time at which the next gap of the series is due; Infinity if none is. */
export function nextGapAt(feed: Feed, series: Series): number {
  const times = series.gaps.map((gap) => knownGap(feed.gaps, gap).askAgainAt ?? Infinity);
  return Math.min(Infinity, ...times);
}

function knownGap(gaps: AskedGap[], { after, next, missing }: Series['gaps'][number]): AskedGap {
  const known = gaps.find((gap) => gap.after === after && gap.next === next);
  return known ?? { after, next, missing, asks: 0, emptyAnswers: 0, askAgainAt: 0 };
}
