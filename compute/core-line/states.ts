import { computeIndicator } from '../model/indicator.js';
import { adx } from '../indicators/adx.js';
import { atr } from '../indicators/atr.js';
import { kama } from '../indicators/kama.js';
import type { Candles } from '../model/candles.js';
import { stateCode } from '../model/core-line.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import { agreeingSide, bandSide, coreLineParams, nextRun, nextState, trendStrength } from './rule.js';

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
export function computeCoreLine(candles: Candles, scratch?: ScratchBuffers): CoreLine {
  const { kama: line } = computeIndicator(
    kama,
    candles,
    { period: coreLineParams.efficiencyPeriod },
    scratch,
  );
  const range = computeIndicator(atr, candles, { period: coreLineParams.atrPeriod }, scratch);
  const direction = computeIndicator(adx, candles, { period: coreLineParams.adxPeriod }, scratch);
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

/** How many candles in a row, up to and including `at`, agree with a side: n for a rise, -n for a fall, or 0. */
export function runAt(close: Float64Array, coreLine: CoreLine, at: number): number {
  const side = sideAt(close, coreLine, at);
  let count = Math.abs(side);
  while (count > 0 && at - count >= coreLineParams.readyIndex && sideAt(close, coreLine, at - count) === side)
    count++;
  return side * count;
}

function sideAt(close: Float64Array, { line, atr, pdi, mdi }: CoreLine, i: number): number {
  const slope = line[i] - line[i - coreLineParams.slopeCandles];
  return agreeingSide(bandSide(close[i], line[i], atr[i]), slope, pdi[i] - mdi[i]);
}

function fillStates(close: Float64Array, { line, atr, adx, pdi, mdi, state }: CoreLine): void {
  const { readyIndex, slopeCandles } = coreLineParams;
  let now: number = stateCode.wait;
  let run = 0;
  for (let i = readyIndex; i < close.length; i++) {
    const band = bandSide(close[i], line[i], atr[i]);
    run = nextRun(run, agreeingSide(band, line[i] - line[i - slopeCandles], pdi[i] - mdi[i]));
    now = nextState(now, run, trendStrength(adx[i]), band);
    state[i] = now;
  }
}
