import { normalQuantile } from '../../../compute/metrics/normal.js';
import type { Random } from '../../../compute/model/random.js';

/** A number from the standard normal distribution. */
export const normalDraw = (random: Random): number => normalQuantile((random.uint32() + 0.5) / 2 ** 32);
