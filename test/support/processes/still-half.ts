import { independentProcess } from './independent-process.js';
import { normalDraw } from './normal-draw.js';

/** Independent returns, half of which are 0, as on a pair that is seldom traded. */
export const stillHalf = independentProcess('still half of the time', (deviation, random) => () => {
  const moved = deviation * normalDraw(random) - deviation ** 2 / 2;
  return random.unit() < 0.5 ? 0 : moved;
});
