/** Share of candles with a position open at their close, in percent; null without candles. */
export function exposure(candlesHeld: number, candles: number): number | null {
  return candles === 0 ? null : (candlesHeld / candles) * 100;
}
