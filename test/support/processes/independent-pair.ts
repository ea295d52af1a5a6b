import { independentReturns } from './independent-returns.js';
import type { MarketProcess } from './market-process.js';

/** Two markets that have nothing to do with one another. */
export const independentPair: MarketProcess = {
  name: 'unrelated pair',
  isIndependent: true,
  meanReturn: 0,
  draw: (draw) => [
    ...independentReturns.draw(draw),
    ...independentReturns.draw({ ...draw, seed: draw.seed ^ 0x51ed270b }),
  ],
};
