import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** The size of the jump in usual deviations. */
const size = 15;

/** Independent returns, one of which, anywhere, is a jump up or down that outdoes all others; the price is a martingale. */
export const oneJump: MarketProcess = {
  name: 'one jump',
  isIndependent: true,
  meanReturn: 0,
  draw({ count, interval, seed }) {
    const random = createRandom(seed);
    const deviation = usualDeviation[interval];
    const at = Math.floor(random.unit() * count);
    const way = random.unit() < 0.5 ? 1 : -1;
    const step = (index: number) => ({
      logReturn:
        index === at
          ? Math.log1p(way * size * deviation)
          : deviation * normalDraw(random) - deviation ** 2 / 2,
      deviation,
    });
    return [candlesOfReturns(count, interval, random, step)];
  },
};
