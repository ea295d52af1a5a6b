import { intervalMs } from '../../compute/model/interval.js';
import type { AskedGap, Feed } from '../../storage/candles/feeds.js';
import type { Series } from '../../storage/candles/series.js';
import { fillHours, type FillTools } from './fill-hours.js';

/** When gaps are asked for again. */
export interface GapLimits {
  /** The pause after the first asking; it doubles with each, up to a day. */
  pauseMs: number;
}

const hourMs = intervalMs('1h');
const dayMs = intervalMs('1d');
const mostPerPass = 20;
/** So many answers without a row say that the exchange has nothing there. */
const confirmingAnswers = 2;

/**
 * Asks again for the gaps of a series that are due at `nowMs` and writes into `feed.gaps` what came of it: a gap that is
 * closed goes, one that the exchange left empty twice is never asked for again, others are after a longer pause.
 * Throws as the source does; what came before is written.
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
  for (const gap of due.slice(0, mostPerPass)) {
    const { stored, refused } = await fillHours(tools, feed, { fromMs: gap.after + hourMs, toMs: gap.next });
    feed.refusedRows += refused;
    if (stored > 0) {
      // What is left of it is a gap of its own, or two.
      feed.gaps.splice(feed.gaps.indexOf(gap), 1);
      continue;
    }
    gap.asks++;
    if (refused === 0) gap.emptyAnswers++;
    const confirmed = gap.emptyAnswers >= confirmingAnswers;
    gap.askAgainAt = confirmed ? null : nowMs + Math.min(dayMs, pauseMs * 2 ** (gap.asks - 1));
  }
}

/** The time at which a gap of the series is to be asked for next; Infinity if none is. */
export function nextGapAt(feed: Feed, series: Series): number {
  const times = series.gaps.map((gap) => knownGap(feed.gaps, gap).askAgainAt ?? Infinity);
  return Math.min(Infinity, ...times);
}

function knownGap(gaps: AskedGap[], { after, next, missing }: Series['gaps'][number]): AskedGap {
  const known = gaps.find((gap) => gap.after === after && gap.next === next);
  return known ?? { after, next, missing, asks: 0, emptyAnswers: 0, askAgainAt: 0 };
}
