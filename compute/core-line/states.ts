import { computeIndicator } from '../indicator.js';
import { adx } from '../indicators/adx.js';
import { atr } from '../indicators/atr.js';
import { kama } from '../indicators/kama.js';
import type { Candles } from '../model/candles.js';
import { stateCode } from '../model/core-line.js';
import type { Room } from '../model/room.js';

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

/** The core line, what its rule reads, and the state of every candle. NaN and `none` stand before the warm-up. */
export interface CoreLine {
  line: Float64Array;
  atr: Float64Array;
  adx: Float64Array;
  pdi: Float64Array;
  mdi: Float64Array;
  state: Int8Array;
}

/** Core line and states of all given candles. A prefix of the candles gives the same prefix, bit for bit. */
export function computeCoreLine(candles: Candles, room?: Room): CoreLine {
  const { kama: line } = computeIndicator(kama, candles, { period: coreLineParams.efficiencyPeriod }, room);
  const range = computeIndicator(atr, candles, { period: coreLineParams.atrPeriod }, room);
  const direction = computeIndicator(adx, candles, { period: coreLineParams.adxPeriod }, room);
  const state = new Int8Array(candles.close.length).fill(stateCode.none);
  // Not by spreading, for the reason that `paramsOf` gives.
  const coreLine: CoreLine = {
    line,
    atr: range.atr,
    adx: direction.adx,
    pdi: direction.pdi,
    mdi: direction.mdi,
    state,
  };
  fillStates(candles.close, coreLine);
  return coreLine;
}

/**
 * The side candle `i` agrees with: 1, a rise (close above the band, line rising, +DI above -DI), -1, a fall (all the
 * other way), or 0, neither.
 */
export function agreement(close: Float64Array, { line, atr, pdi, mdi }: CoreLine, i: number): number {
  const { bandWidth, slopeCandles } = coreLineParams;
  const reach = bandWidth * atr[i];
  const slope = line[i] - line[i - slopeCandles];
  const lead = pdi[i] - mdi[i];
  // Bits in place of branches, which would miss on every turn of the market.
  const rises = Number(close[i] > line[i] + reach) & Number(slope > 0) & Number(lead > 0);
  const falls = Number(close[i] < line[i] - reach) & Number(slope < 0) & Number(lead < 0);
  return rises - falls;
}

function fillStates(close: Float64Array, coreLine: CoreLine): void {
  const { bandWidth, confirmation, enterAdx, leaveAdx, readyIndex } = coreLineParams;
  const { line, atr, adx, state } = coreLine;
  let now: number = stateCode.wait;
  let up = 0;
  let down = 0;
  for (let i = readyIndex; i < close.length; i++) {
    const side = agreement(close, coreLine, i);
    up = Math.imul(up + 1, (side + 1) >> 1);
    down = Math.imul(down + 1, (1 - side) >> 1);
    const strong = adx[i] >= enterAdx;
    const weak = adx[i] < leaveAdx;
    if (up >= confirmation && strong) now = stateCode.accumulate;
    else if (down >= confirmation && strong) now = stateCode.distribute;
    else if (now === stateCode.accumulate && (weak || close[i] < line[i] - bandWidth * atr[i]))
      now = stateCode.wait;
    else if (now === stateCode.distribute && (weak || close[i] > line[i] + bandWidth * atr[i]))
      now = stateCode.wait;
    state[i] = now;
  }
}
