import { patterns } from '../index.js';
import { Bars, type PriceColumns } from './bars.js';
import type { ScratchBuffers } from '../../model/scratch-buffers.js';
import { lastPatternValue, sentimentOf, type Pattern, type Sentiment } from '../../model/pattern.js';

/** The patterns that a risk assessment uses, the strongest first. */
export const patternsByStrength: readonly Pattern[] = [
  'threeWhiteSoldiers',
  'threeBlackCrows',
  'morningDojiStar',
  'eveningDojiStar',
  'morningStar',
  'eveningStar',
  'abandonedBaby',
  'threeInside',
  'threeOutside',
  'engulfing',
  'piercing',
  'darkCloudCover',
  'haramiCross',
  'harami',
  'hammer',
  'hangingMan',
  'invertedHammer',
  'shootingStar',
  'marubozu',
  'dragonflyDoji',
  'gravestoneDoji',
  'doji',
  'spinningTop',
].map((strong) => patterns.find(({ name }) => name === strong)!);

export interface StrongestPattern {
  /** The pattern in words, or `none`. */
  pattern: string;
  sentiment: Sentiment;
  /** The direction of the sentiment. */
  value: 'up' | 'down' | 'none';
}

const directions = { bullish: 'up', bearish: 'down', neutral: 'none' } as const;

/**
 * The strongest pattern that ends on one candle, by default the last. Rules are tried on that candle alone until one
 * matches. Their averages are computed from the first candle on, so that the result equals that of a full scan.
 */
export function strongestPattern(
  candles: PriceColumns,
  at = candles.close.length - 1,
  scratch?: ScratchBuffers,
): StrongestPattern {
  const bars = new Bars(candlesUpTo(candles, at), scratch);
  for (const pattern of patternsByStrength) {
    const value = lastPatternValue(pattern, bars);
    if (value === 0) continue;
    const sentiment = sentimentOf(pattern, value);
    return { pattern: pattern.title, sentiment, value: directions[sentiment] };
  }
  return { pattern: 'none', sentiment: 'neutral', value: 'none' };
}

const candlesUpTo = ({ open, high, low, close }: PriceColumns, at: number): PriceColumns => ({
  open: open.subarray(0, at + 1),
  high: high.subarray(0, at + 1),
  low: low.subarray(0, at + 1),
  close: close.subarray(0, at + 1),
});
