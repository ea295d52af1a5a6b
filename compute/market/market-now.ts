import { AppError } from '../model/errors.js';
import { intervalMs, type Interval } from '../model/interval.js';
import type { PairCandles } from '../task.js';

/** Where a market stands: its newest candle, and which pairs have it. */
export interface MarketNow {
  /** Open time of the newest candle of any pair, in ms, UTC. */
  openMs: number;
  /** Close time of that candle: what is known of the market ends there. */
  asOf: number;
  /** The pairs whose last candle is that one, in the order given. */
  present: PairCandles[];
  /** The pairs whose last candle is older, or that have none: they say nothing of now. */
  stale: PairCandles[];
}

/** The now of a market: the newest close among its pairs. Throws `not_enough_history` if there is no candle. */
export function marketNow(pairs: readonly PairCandles[], interval: Interval): MarketNow {
  const lastOpen = ({ candles: { time } }: PairCandles) =>
    time.length > 0 ? time[time.length - 1] : -Infinity;
  const openMs = Math.max(...pairs.map(lastOpen));
  if (!Number.isFinite(openMs))
    throw new AppError('not_enough_history', `there are no closed ${interval} candles of the market`, {
      details: { needed: 1, found: 0 },
    });
  return {
    openMs,
    asOf: openMs + intervalMs(interval),
    present: pairs.filter((pair) => lastOpen(pair) === openMs),
    stale: pairs.filter((pair) => lastOpen(pair) < openMs),
  };
}
