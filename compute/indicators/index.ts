import { adx } from './adx.js';
import { atr } from './atr.js';
import { ema } from './ema.js';
import { kama } from './kama.js';

/** Every indicator, in the order of the alphabet. */
export const indicators = [adx, atr, ema, kama] as const;
