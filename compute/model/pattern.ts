import { Bars, type PriceColumns } from '../patterns/rules/bars.js';
import { paramsOf, type ParamSpec } from './indicator.js';
import type { ScratchBuffers } from './scratch-buffers.js';

/** A candlestick pattern: what it is, and the rule that recognises it on its last candle. */
export interface Pattern<P extends string = string> {
  name: string;
  /** The name of TA-Lib's function without its prefix CDL. */
  talib: string;
  title: string;
  /** Candles in the pattern. */
  candles: number;
  /** The sequences of colours that it accepts, oldest candle first: W white, B black, a full stop for either. Absent: all. */
  colours?: readonly string[];
  /** The index of the first candle that may have a value: enough candles before it for every average. */
  warmup: number;
  /** Candles after the pattern within which a signal can be confirmed. */
  confirmation?: number;
  /** The possible values besides 0. */
  values: readonly PatternValue[];
  /** Set if the sign of the value does not tell a direction: the market is undecided. */
  neutral?: true;
  /** Source of the pattern. */
  reference: string;
  params: Readonly<Record<P, ParamSpec>>;
  /** Positive for a bullish pattern, negative for a bearish one, 0 for none. */
  match: (bars: Bars, params: Readonly<Record<P, number>>) => number;
}

/** 100 is the rule; 80: one end of two bodies is equal; 200: an earlier signal is confirmed. */
export type PatternValue = -200 | -100 | -80 | 80 | 100 | 200;

export type Sentiment = 'bullish' | 'bearish' | 'neutral';

type Usual = 'params' | 'reference' | 'talib' | 'warmup';

/** What is said of a pattern; `definePattern` adds what is usual. */
type Definition<P extends string> = Omit<Pattern<P>, Usual> & Partial<Pick<Pattern<P>, Usual>>;

/**
 * A pattern of Nison's book whose averages cover ten candles, and whose name is that of TA-Lib, unless the definition says
 * otherwise.
 */
export const definePattern = <const P extends string = never>(definition: Definition<P>): Pattern<P> => ({
  params: {} as Record<P, ParamSpec>,
  reference: 'Nison, Japanese Candlestick Charting Techniques, 1991',
  talib: definition.name.toUpperCase(),
  warmup: definition.candles + 9,
  ...definition,
});

/** The parameter of patterns in which one candle has to reach into the body of another. */
export const penetration = (preset: number): ParamSpec => ({
  min: 0,
  max: 1,
  step: 0.01,
  default: preset,
  title: 'How far into the first body, as a share of it',
});

/** The value of the pattern on every candle from index `from` on: 0, as before it, or one of `pattern.values`. */
export function computePattern<P extends string>(
  pattern: Pattern<P>,
  bars: Bars,
  given: Partial<Record<P, number>> = {},
  from = 0,
): Int16Array {
  const out = new Int16Array(bars.length);
  const params = paramsOf(pattern.params, given);
  setAverageStart(pattern, bars);
  const accepted = acceptedColours(pattern);
  const { match } = pattern;
  const { colours } = bars;
  for (let i = Math.max(from, pattern.warmup); i < out.length; i++) {
    if (((accepted >>> colours[i]) & 1) === 0) continue;
    bars.at = i;
    out[i] = match(bars, params);
  }
  return out;
}

/** The value of the pattern on the last candle alone, equal to the last of `computePattern`. */
export function lastPatternValue(pattern: Pattern, bars: Bars): number {
  const last = bars.length - 1;
  if (last < pattern.warmup || ((acceptedColours(pattern) >>> bars.colours[last]) & 1) === 0) return 0;
  setAverageStart(pattern, bars);
  bars.at = last;
  return pattern.match(bars, paramsOf(pattern.params));
}

/** The values of every pattern on every candle, by the pattern's name. */
export function scanPatterns(
  patterns: readonly Pattern[],
  candles: PriceColumns,
  scratch?: ScratchBuffers,
): Record<string, Int16Array> {
  const bars = new Bars(candles, scratch);
  return Object.fromEntries(patterns.map((pattern) => [pattern.name, computePattern(pattern, bars)]));
}

/** The direction that a value of the pattern, other than 0, stands for. */
export function sentimentOf(pattern: Pattern, value: number): Sentiment {
  if (pattern.neutral) return 'neutral';
  return value > 0 ? 'bullish' : 'bearish';
}

/**
 * Sets where averages start. A signal may be older than the candle that confirms it, so they start that many candles before
 * the warm-up ends.
 */
function setAverageStart(
  { warmup, confirmation = 0 }: Pick<Pattern, 'warmup' | 'confirmation'>,
  bars: Bars,
): void {
  bars.start = warmup - confirmation;
}

/** Results of `acceptedColours` by pattern: they are needed on every candle that closes. */
const acceptedOf = new WeakMap<readonly string[], number>();

/** One bit for every state of `Bars.colours`: whether the pattern may end there. */
function acceptedColours({ colours }: Pick<Pattern, 'colours'>): number {
  if (!colours) return -1;
  const known = acceptedOf.get(colours);
  if (known !== undefined) return known;
  let accepted = 0;
  for (let state = 0; state < 32; state++) {
    const takes = (wanted: string) =>
      [...wanted]
        .reverse()
        .every((colour, age) => colour === '.' || colour === ((state >> age) & 1 ? 'W' : 'B'));
    if (colours.some(takes)) accepted |= 1 << state;
  }
  acceptedOf.set(colours, accepted);
  return accepted;
}
