import { lastDay } from '../market/last-day.js';
import type { Candles } from '../model/candles.js';
import { stateName, type StateOrNone, type TrendState } from '../model/core-line.js';
import type { Interval } from '../model/interval.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { ignoreProgress, type OnProgress } from '../model/progress.js';
import type { PairCandles } from '../task.js';
import { firstOfState, stateOrNone } from './current-state.js';
import { coreLineParams } from './rule.js';
import { computeCoreLine } from './states.js';

/** The last change of state. */
export interface LastFlip {
  from: TrendState;
  to: TrendState;
  /** Open time of its candle in ms, UTC. */
  time: number;
  /** Close of its candle. */
  price: number;
  /** Candles since: 0 if the last candle brought it. */
  candlesAgo: number;
  /** Percent from its price to the last close. */
  change: number;
}

/** A pair in a table of states. */
export interface PairState extends StateOrNone {
  asset: string;
  tradeMarket: string;
  /** Percent over the last 24 hours; null where the history is shorter, as is the volume. */
  change24h: number | null;
  /** What was traded in the last 24 hours, in quote units. */
  volume24h: number | null;
  /** Null where the state has never changed. */
  lastFlip: LastFlip | null;
}

/**
 * The state of every pair after its last closed candle, in the order given: for tables, which filter and sort it. A
 * pair with too few candles is there too, its state null.
 */
export const scanStates = (
  pairs: readonly PairCandles[],
  interval: Interval,
  scratch = new ScratchBuffers(),
  onProgress: OnProgress = ignoreProgress,
): PairState[] =>
  pairs.map((pair, n) => {
    onProgress('scan', n / pairs.length);
    return scratch.within(() => pairState(pair, interval, scratch));
  });

function pairState(
  { asset, tradeMarket, candles }: PairCandles,
  interval: Interval,
  scratch: ScratchBuffers,
): PairState {
  const { state } = computeCoreLine(candles, scratch);
  const day = lastDay(candles);
  return {
    asset,
    tradeMarket,
    ...stateOrNone(candles, state, interval),
    change24h: day?.change ?? null,
    volume24h: day?.volume ?? null,
    lastFlip: lastFlip(candles, state),
  };
}

function lastFlip({ time, close }: Candles, state: Int8Array): LastFlip | null {
  const last = time.length - 1;
  const at = firstOfState(state);
  if (at <= coreLineParams.readyIndex) return null;
  return {
    from: stateName(state[at - 1])!,
    to: stateName(state[at])!,
    time: time[at],
    price: close[at],
    candlesAgo: last - at,
    change: (close[last] / close[at] - 1) * 100,
  };
}
