import type { Candles } from '../model/candles.js';
import { target } from '../strategy.js';

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

/** What a run of the engine leaves behind: one equity value per candle of the window, and the closed trades. */
export interface Run {
  equity: Float64Array;
  trades: Trade[];
  /** Candles of the window at whose close a position was open, the one closed at the end included. */
  candlesHeld: number;
}

export const initialEquity = 10_000;

/**
 * Trades `targets` over the candles from index `from` to the last. Flat at the start; a target given on the
 * close of candle i fills at the open of candle i + 1, with all equity; what is open after the last candle is
 * sold at its close. Equity is marked at every close, in quote units.
 */
export function runBacktest(
  { open, close }: Pick<Candles, 'open' | 'close'>,
  targets: Int8Array,
  from: number,
  { feeRate, slippageRate }: Costs,
): Run {
  const { length } = close;
  const equity = new Float64Array(Math.max(0, length - from));
  const trades: Trade[] = [];
  let cash = initialEquity;
  let quantity = 0;
  let entry = -1;
  let entryPrice = 0;
  let candlesHeld = 0;

  const sell = (exit: number, price: number, exitReason: Trade['exitReason']) => {
    const exitPrice = price * (1 - slippageRate);
    const received = quantity * exitPrice * (1 - feeRate);
    const returnRate = (exitPrice * (1 - feeRate)) / (entryPrice * (1 + feeRate)) - 1;
    trades.push({ entry, exit, entryPrice, exitPrice, gain: received - cash, returnRate, exitReason });
    cash = received;
    entry = -1;
  };

  for (let i = from; i < length; i++) {
    const wanted = i > from ? targets[i - 1] : target.keep;
    if (entry < 0) {
      if (wanted === target.long) {
        entry = i;
        entryPrice = open[i] * (1 + slippageRate);
        quantity = cash / (entryPrice * (1 + feeRate));
      }
    } else if (wanted === target.flat) {
      sell(i, open[i], 'signal');
    }
    if (entry >= 0) candlesHeld++;
    equity[i - from] = entry < 0 ? cash : quantity * close[i];
  }
  if (entry >= 0) {
    sell(length - 1, close[length - 1], 'end');
    equity[equity.length - 1] = cash;
  }
  return { equity, trades, candlesHeld };
}
