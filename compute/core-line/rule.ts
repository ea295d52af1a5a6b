import { stateCode } from '../model/core-line.js';

/** The parameters of the core line, as spec'd; every user of the rule reads them here. */
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

// The rule of the states, in steps that whoever goes through candles takes one after the other. It speaks of sides: 1
// is that of a rise, -1 that of a fall, 0 neither; so do the codes of the states. Sides are made of comparisons taken
// as numbers, where branches would miss on every turn of the market.

/** The side of the band the close is on; 0 within it. */
export function bandSide(close: number, line: number, atr: number): number {
  const reach = coreLineParams.bandWidth * atr;
  return Number(close > line + reach) - Number(close < line - reach);
}

/**
 * The side a candle agrees with: that of the band, if line and directional movement are on it too. `slope` is line
 * less line three candles ago, `lead` is +DI less -DI.
 */
export const agreeingSide = (band: number, slope: number, lead: number): number =>
  (Number(band > 0) & Number(slope > 0) & Number(lead > 0)) -
  (Number(band < 0) & Number(slope < 0) & Number(lead < 0));

/** 1 where the trend is strong enough to enter accumulate or distribute, -1 where too weak to stay there. */
export const trendStrength = (adx: number): number =>
  Number(adx >= coreLineParams.enterAdx) - Number(adx < coreLineParams.leaveAdx);

/** How many candles in a row agree with a side, a fall counted below 0, after one more that agrees with `side`. */
export const nextRun = (run: number, side: number): number => Number(run * side > 0) * run + side;

/** The code of the state on a candle, from that on the candle before and what this one has brought. */
export function nextState(state: number, run: number, strength: number, band: number): number {
  const { confirmation } = coreLineParams;
  if (strength > 0 && run >= confirmation) return stateCode.accumulate;
  if (strength > 0 && run <= -confirmation) return stateCode.distribute;
  if (state !== stateCode.wait && (strength < 0 || band === -state)) return stateCode.wait;
  return state;
}
