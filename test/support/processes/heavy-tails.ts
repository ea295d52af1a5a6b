import { independentProcess } from './independent-process.js';
import { normalDraw } from './normal-draw.js';
import { tailWeight } from './tail-weight.js';

/** The largest simple return, in usual deviations: without it the mean of the price would be infinite. */
export const furthest = 30;

/** Independent simple returns of Student's distribution with three degrees of freedom, of no fourth moment. */
export const heavyTails = independentProcess('heavy tails', (deviation, random) => () => {
  const size = normalDraw(random) * tailWeight(random);
  return Math.log1p(deviation * Math.max(-furthest, Math.min(furthest, size)));
});
