/** Candles at whose close a position was open, in percent of all; null without candles. */
export function exposure(candlesHeld: number, candles: number): number | null {
  return candles === 0 ? null : (candlesHeld / candles) * 100;
}
