import { independentProcess } from './independent-process.js';
import { normalDraw } from './normal-draw.js';

/** Independent normal log returns. */
export const independentReturns = independentProcess(
  'independent',
  (deviation, random) => () => deviation * normalDraw(random) - deviation ** 2 / 2,
);
