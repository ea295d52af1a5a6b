import type { Candles } from '../model/candles.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { target } from '../model/strategy.js';

/** What trading costs on each side, as fractions: 0.001 is 0.1 %. */
export interface Costs {
  feeRate: number;
  slippageRate: number;
}

/** A closed trade. Prices include slippage, `gain` (quote units) and `returnRate` (fraction) also the fees. */
export interface Trade {
  /** Index of the candle at whose open it was bought. */
  entry: number;
  /** Index of the candle at whose open, or at the end at whose close, it was sold. */
  exit: number;
  entryPrice: number;
  exitPrice: number;
  gain: number;
  returnRate: number;
  exitReason: 'signal' | 'end';
}

/** What a run of the engine leaves behind: one value of each curve per candle of the window, and the closed trades. */
export interface Run {
  /** Worth of the account at the close of each candle. */
  equity: Float64Array;
  /**
   * Lowest worth of the account during each candle: at the low of a candle that is held past its open, else as at its
   * close. Positions are long only; of a short position it would be the worth at the high.
   */
  lowestEquity: Float64Array;
  trades: Trade[];
  /** Candles of the window at whose close a position was open, the one closed at the end included. */
  candlesHeld: number;
}

export const initialEquity = 10_000;

/**
 * Trades `targets` over the candles from index `from` to the last. Flat at the start; a target given on the
 * close of candle i fills at the open of candle i + 1, with all equity; what is open after the last candle is
 * sold at its close. Equity is marked at every close and at every low, in quote units.
 */
export function runBacktest(
  { open, low, close }: Pick<Candles, 'open' | 'low' | 'close'>,
  targets: Int8Array,
  from: number,
  { feeRate, slippageRate }: Costs,
  scratch?: ScratchBuffers,
): Run {
  const { length } = close;
  const candles = Math.max(0, length - from);
  const equity = scratch?.column(candles) ?? new Float64Array(candles);
  const lowestEquity = scratch?.column(candles) ?? new Float64Array(candles);
  const trades: Trade[] = [];
  const paid = (1 + slippageRate) * (1 + feeRate);
  const received = (1 - slippageRate) * (1 - feeRate);
  let cash = initialEquity;
  let quantity = 0;
  let entry = -1;
  let candlesHeld = 0;

  // The closure captures no variable that changes, because sharing one would slow every step of the loop.
  const closed = (
    entry: number,
    exit: number,
    price: number,
    gain: number,
    exitReason: Trade['exitReason'],
  ): Trade => ({
    entry,
    exit,
    entryPrice: open[entry] * (1 + slippageRate),
    exitPrice: price * (1 - slippageRate),
    gain,
    returnRate: (price * received) / (open[entry] * paid) - 1,
    exitReason,
  });

  for (let i = from; i < length; i++) {
    const wanted = i > from ? targets[i - 1] : target.keep;
    if (entry < 0 && wanted === target.long) {
      entry = i;
      quantity = cash / (open[i] * paid);
    } else if (entry >= 0 && wanted === target.flat) {
      const proceeds = quantity * open[i] * received;
      trades.push(closed(entry, i, open[i], proceeds - cash, 'signal'));
      cash = proceeds;
      entry = -1;
    }
    if (entry >= 0) {
      candlesHeld++;
      equity[i - from] = quantity * close[i];
      lowestEquity[i - from] = quantity * low[i];
    } else {
      equity[i - from] = cash;
      lowestEquity[i - from] = cash;
    }
  }
  if (entry >= 0) {
    const proceeds = quantity * close[length - 1] * received;
    trades.push(closed(entry, length - 1, close[length - 1], proceeds - cash, 'end'));
    equity[equity.length - 1] = proceeds;
    // The costs of the last sale can bring it below the low of its candle.
    lowestEquity[equity.length - 1] = Math.min(lowestEquity[equity.length - 1], proceeds);
  }
  return { equity, lowestEquity, trades, candlesHeld };
}

/** What an account is worth that buys at the open after candle `from` with all equity, and sells at the last close. */
export function buyAndKeep(
  { open, low, close }: Pick<Candles, 'open' | 'low' | 'close'>,
  from: number,
  { feeRate, slippageRate }: Costs,
  scratch?: ScratchBuffers,
): Pick<Run, 'equity' | 'lowestEquity'> {
  const candles = Math.max(0, close.length - from);
  const equity = scratch?.column(candles) ?? new Float64Array(candles);
  const lowestEquity = scratch?.column(candles) ?? new Float64Array(candles);
  const quantity = initialEquity / (open[from + 1] * ((1 + slippageRate) * (1 + feeRate)));
  for (let n = 0; n < candles; n++) {
    equity[n] = quantity * close[from + n];
    lowestEquity[n] = quantity * low[from + n];
  }
  if (candles === 0) return { equity, lowestEquity };
  equity[0] = lowestEquity[0] = initialEquity;
  const last = candles - 1;
  if (last > 0) {
    const sold = quantity * close[from + last] * ((1 - slippageRate) * (1 - feeRate));
    equity[last] = sold;
    lowestEquity[last] = Math.min(lowestEquity[last], sold);
  }
  return { equity, lowestEquity };
}
