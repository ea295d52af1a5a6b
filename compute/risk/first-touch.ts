import type { Candles } from '../model/candles.js';
import type { TradeSide } from '../model/risk-assessment.js';

/** The prices of an order. They are scaled to the price at each start. */
export interface ScaledOrder {
  side: TradeSide;
  entry: number;
  target: number;
  stop: number;
}

/** The outcomes of an order entered at the close of each candle: columns with one value per start. */
export interface FirstTouches {
  /** 1 where the target was touched first, -1 where the stop was, 0 where neither was in time. */
  outcome: Int8Array;
  /** Candles until the touch, that candle included; the limit where neither was touched. */
  candles: Int32Array;
  /** Gain as a multiple of the risk. */
  multiple: Float64Array;
}

/**
 * Follows the order from each start in [from, to) over at most `limit` candles, which all must exist. A candle that
 * touches both counts as stop, because the order of prices within it is unknown. A stop is filled at the open where the
 * open is beyond it, a target at its price, and an order that reaches the limit at the last close. Before costs.
 */
export function firstTouches(
  candles: Candles,
  order: ScaledOrder,
  { from, to, limit }: { from: number; to: number; limit: number },
): FirstTouches {
  // A short is computed as a long on negated prices.
  const sign = order.side === 'long' ? 1 : -1;
  const turned = (column: Float64Array) => (sign === 1 ? column : column.map((price) => -price));
  const [open, close] = [turned(candles.open), turned(candles.close)];
  const [best, worst] =
    sign === 1 ? [candles.high, candles.low] : [turned(candles.low), turned(candles.high)];
  const outcome = new Int8Array(to - from);
  const lasted = new Int32Array(to - from).fill(limit);
  const multiple = new Float64Array(to - from);
  for (let start = from; start < to; start++) {
    const entry = close[start];
    // With this order of operations a start at the entry price gives exactly the prices of the order.
    const scale = entry / order.entry;
    const [goal, floor] = [scale * order.target, scale * order.stop];
    const end = start + limit;
    let at = start + 1;
    while (at <= end && worst[at] > floor && best[at] < goal) at++;
    const n = start - from;
    let exit = close[end];
    if (at <= end) {
      const isStopped = worst[at] <= floor;
      outcome[n] = isStopped ? -1 : 1;
      lasted[n] = at - start;
      exit = isStopped ? Math.min(open[at], floor) : goal;
    }
    multiple[n] = (exit - entry) / (entry - floor);
  }
  return { outcome, candles: lasted, multiple };
}
