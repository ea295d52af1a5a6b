import { paramsOf } from '../model/indicator.js';
import { kama } from '../indicators/kama.js';
import { streamAdx } from '../indicators/streams/adx.js';
import { streamAtr } from '../indicators/streams/atr.js';
import { streamKama } from '../indicators/streams/kama.js';
import type { Candles } from '../model/candles.js';
import { agreeingSide, bandSide, coreLineParams, nextRun, nextState, trendStrength } from './rule.js';
import { runAt, type CoreLine } from './states.js';

/** The result of the rule for a candle. */
export interface Outlook {
  state: number;
  /** The side that the candle agrees with: 1, -1 or 0. */
  side: number;
  /** A number that encodes all conditions: candles with the same number have the same state and side. */
  found: number;
}

/** What is assumed of the next candle besides its close. */
export const assumption =
  'The next candle opens at the last close and has no wicks: its high and low are its open and its close.';

/**
 * The result of the rule for the next candle as a function of its close: the same state that `computeCoreLine` gives a
 * candle like that. The last candle of the series must have a state. The series is read once, not once per close.
 */
export function outlookAfter(candles: Candles, coreLine: CoreLine): (close: number) => Outlook {
  const { line, state } = coreLine;
  const next = state.length;
  const [before, last] = [state[next - 1], candles.close[next - 1]];
  const runBefore = runAt(candles.close, coreLine, next - 1);
  const lineBefore = line[next - coreLineParams.slopeCandles];
  const streams = streamsAfter(candles);
  return (close) => {
    const candle = { high: Math.max(last, close), low: Math.min(last, close), close };
    const { kama: line } = streams.line.peek(candle);
    const { atr } = streams.range.peek(candle);
    const { adx, pdi, mdi } = streams.direction.peek(candle);
    const [slope, lead] = [line - lineBefore, pdi - mdi];
    const band = bandSide(close, line, atr);
    const strength = trendStrength(adx);
    const side = agreeingSide(band, slope, lead);
    const found = ((band * 3 + Math.sign(slope)) * 3 + Math.sign(lead)) * 3 + strength;
    return { state: nextState(before, nextRun(runBefore, side), strength, band), side, found };
  };
}

/** The indicators of the rule after every candle. */
function streamsAfter({ high, low, close }: Candles) {
  const { efficiencyPeriod, atrPeriod, adxPeriod } = coreLineParams;
  const line = streamKama(paramsOf(kama.params, { period: efficiencyPeriod }));
  const range = streamAtr({ period: atrPeriod });
  const direction = streamAdx({ period: adxPeriod });
  for (let i = 0; i < close.length; i++) {
    const candle = { high: high[i], low: low[i], close: close[i] };
    line.next(candle);
    range.next(candle);
    direction.next(candle);
  }
  return { line, range, direction };
}
