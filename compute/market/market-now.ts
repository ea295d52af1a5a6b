import { AppError } from '../model/errors.js';
import { intervalMs, type Interval } from '../model/interval.js';
import type { PairCandles } from '../task.js';

/** The newest candle of a market, and the pairs that have it. */
export interface MarketNow {
  /** Open time of the newest candle of any pair, in ms, UTC. */
  openMs: number;
  /** Close time of that candle. */
  asOf: number;
  /** The pairs that have this candle, in the order given. */
  present: PairCandles[];
  /** The pairs whose last candle is older, and those without candles. */
  stale: PairCandles[];
}

/** Splits the pairs of a market by its newest candle. Throws `not_enough_history` without any candle. */
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
