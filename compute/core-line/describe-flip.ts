import type { Candles } from '../model/candles.js';
import { stateName, type Condition, type FlipView, type TrendState } from '../model/core-line.js';
import { formatNumber } from '../model/format-number.js';
import { coreLineParams } from './rule.js';
import { runAt, type CoreLine } from './states.js';

/** The conditions of the flip at candle `at`, and the price after it until candle `next` (null: no flip since). */
export function describeFlip(
  candles: Candles,
  coreLine: CoreLine,
  at: number,
  next: number | null,
): FlipView {
  const from = stateName(coreLine.state[at - 1])!;
  const to = stateName(coreLine.state[at])!;
  const conditions = conditionsOf(candles, coreLine, at, from, to);
  return {
    time: candles.time[at],
    from,
    to,
    close: candles.close[at],
    conditions,
    explanation: explain(from, to, candles.close[at], conditions),
    outcome: outcomeOf(candles, at, next),
  };
}

/**
 * The five conditions on the side that the flip went to. All hold where the state becomes accumulate or distribute. It
 * becomes wait by band or strength alone; the other conditions then show how far the trend has weakened.
 */
function conditionsOf(
  candles: Candles,
  coreLine: CoreLine,
  at: number,
  from: TrendState,
  to: TrendState,
): Condition[] {
  const { bandWidth, slopeCandles, confirmation } = coreLineParams;
  const { line, atr, pdi, mdi } = coreLine;
  const rising = to === 'accumulate' || (to === 'wait' && from === 'distribute');
  const side = rising ? 1 : -1;
  const close = candles.close[at];
  const edge = line[at] + side * bandWidth * atr[at];
  const move = line[at] - line[at - slopeCandles];
  const [ahead, behind] = rising ? [pdi[at], mdi[at]] : [mdi[at], pdi[at]];
  const agreeing = Math.max(0, side * runAt(candles.close, coreLine, at));
  return [
    {
      name: 'band',
      asks: rising ? 'close above the upper band' : 'close below the lower band',
      held: rising ? close > edge : close < edge,
      value: close,
      threshold: edge,
    },
    {
      name: 'slope',
      asks: `line ${rising ? 'rising' : 'falling'} over ${slopeCandles} candles`,
      held: side * move > 0,
      value: atr[at] > 0 ? move / atr[at] : 0,
      threshold: 0,
    },
    {
      name: 'direction',
      asks: rising ? '+DI above -DI' : '-DI above +DI',
      held: ahead > behind,
      value: ahead,
      threshold: behind,
    },
    strengthCondition(coreLine.adx[at], to),
    {
      name: 'confirmation',
      asks: `${confirmation} candles in a row agreeing on a ${rising ? 'rise' : 'fall'}`,
      held: agreeing >= confirmation,
      value: agreeing,
      threshold: confirmation,
    },
  ];
}

function strengthCondition(adx: number, to: TrendState): Condition {
  const { enterAdx, leaveAdx } = coreLineParams;
  return to === 'wait'
    ? {
        name: 'strength',
        asks: `ADX below ${leaveAdx}`,
        held: adx < leaveAdx,
        value: adx,
        threshold: leaveAdx,
      }
    : {
        name: 'strength',
        asks: `ADX at least ${enterAdx}`,
        held: adx >= enterAdx,
        value: adx,
        threshold: enterAdx,
      };
}

function explain(from: TrendState, to: TrendState, close: number, conditions: Condition[]): string {
  const words = (held: boolean) =>
    conditions
      .filter((each) => each.held === held)
      .map(phrase)
      .join(', ');
  const failed = words(false);
  const turned = `Turned from ${from} to ${to} at ${formatNumber(close)}: ${words(true)}`;
  return failed === '' ? `${turned}.` : `${turned}; not met: ${failed}.`;
}

/** A condition and its numbers in words. */
function phrase({ name, asks, value, threshold }: Condition): string {
  const [found, limit] = [formatNumber(value), formatNumber(threshold)];
  if (name === 'band') return `${asks} (${found} against ${limit})`;
  if (name === 'slope') return `${asks} (moved ${found} ATR)`;
  if (name === 'direction') return `${asks} (${found} against ${limit})`;
  if (name === 'strength') return `${asks} (it is ${found})`;
  return `${asks} (${found} did)`;
}

function outcomeOf(
  { time, high, low, close }: Candles,
  at: number,
  next: number | null,
): FlipView['outcome'] {
  const end = next ?? close.length - 1;
  let highest = close[at];
  let lowest = close[at];
  for (let i = at + 1; i <= end; i++) {
    highest = Math.max(highest, high[i]);
    lowest = Math.min(lowest, low[i]);
  }
  return {
    until: next === null ? null : time[next],
    candles: end - at,
    close: close[end],
    change: (close[end] / close[at] - 1) * 100,
    highest,
    lowest,
  };
}
