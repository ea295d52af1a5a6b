import type { Pattern } from '../model/pattern.js';
import { oneCandlePatterns } from './one-candle-patterns.js';
import { twoCandlePatterns } from './two-candle-patterns.js';
import { threeCandlePatterns } from './three-candle-patterns.js';
import { longPatterns } from './long-patterns.js';

/** Every candlestick pattern, in alphabetical order of the names. */
export const patterns: readonly Pattern[] = [
  ...oneCandlePatterns,
  ...twoCandlePatterns,
  ...threeCandlePatterns,
  ...longPatterns,
].sort((a, b) => (a.name < b.name ? -1 : 1));
