import type { Random } from '../../../compute/model/random.js';
import { normalDraw } from './normal-draw.js';

/** What turns normal values into values of Student's distribution with three degrees, scaled to a variance of 1. */
export function tailWeight(random: Random): number {
  let squares = 0;
  for (let n = 0; n < 3; n++) squares += normalDraw(random) ** 2;
  return 1 / Math.sqrt(squares);
}
