import type { Bars } from './bars.js';

/** Candles after the trap within which a confirmation counts. */
const confirmationCandles = 3;

/**
 * The signal of a trap and its confirmation: 100 or -100 on the candle that sets the trap, and twice that on the first
 * of the next three candles that closes beyond the candle before the trap, unless another trap is set in between.
 */
export function confirmedSignal(bars: Bars, signalOf: (bars: Bars) => number): number {
  const last = bars.at;
  let signal = 0;
  let age = 0;
  let value = 0;
  for (bars.at = last - confirmationCandles; bars.at <= last; bars.at++, age++) {
    value = signalOf(bars);
    if (value !== 0) {
      signal = value;
      age = 0;
    } else if (isConfirmed(bars, signal, age)) {
      value = 2 * signal;
      signal = 0;
    }
  }
  bars.at = last;
  return value;
}

const isConfirmed = (bars: Bars, signal: number, age: number): boolean =>
  (signal > 0 && bars.close(0) > bars.high(age + 1)) || (signal < 0 && bars.close(0) < bars.low(age + 1));
