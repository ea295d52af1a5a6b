import { stateCode } from '../model/core-line.js';

export const coreLineParams = {
  efficiencyPeriod: 10,
  atrPeriod: 14,
  adxPeriod: 14,
  bandWidth: 0.5,
  enterAdx: 20,
  leaveAdx: 15,
  slopeCandles: 3,
  confirmation: 2,
  readyIndex: 60,
} as const;

// The rule of the states, one function for each step of a candle. A side is 1 for a rise, -1 for a fall and 0 for
// neither, like the codes of the states. Sides are sums of comparisons, because the branches of an `if` would be
// mispredicted at every turn of the market.

/** The side of the band where the close is; 0 within the band. */
export function bandSide(close: number, line: number, atr: number): number {
  const reach = coreLineParams.bandWidth * atr;
  return Number(close > line + reach) - Number(close < line - reach);
}

/**
 * The side that a candle agrees with: the side of the band, if the slope of the line and the directional movement are on
 * the same side; otherwise 0. `slope` is the line less the line three candles before, `lead` is +DI less -DI.
 */
export const agreeingSide = (band: number, slope: number, lead: number): number =>
  (Number(band > 0) & Number(slope > 0) & Number(lead > 0)) -
  (Number(band < 0) & Number(slope < 0) & Number(lead < 0));

/** 1 where the trend is strong enough to enter accumulate or distribute, -1 where it is too weak to stay there. */
export const trendStrength = (adx: number): number =>
  Number(adx >= coreLineParams.enterAdx) - Number(adx < coreLineParams.leaveAdx);

/** The number of candles in a row that agree with a side (negative for a fall) after one more that agrees with `side`. */
export const nextRun = (run: number, side: number): number => Number(run * side > 0) * run + side;

/** The code of the state of a candle, from the state of the candle before and the conditions of this one. */
export function nextState(state: number, run: number, strength: number, band: number): number {
  const { confirmation } = coreLineParams;
  if (strength > 0 && run >= confirmation) return stateCode.accumulate;
  if (strength > 0 && run <= -confirmation) return stateCode.distribute;
  if (state !== stateCode.wait && (strength < 0 || band === -state)) return stateCode.wait;
  return state;
}
