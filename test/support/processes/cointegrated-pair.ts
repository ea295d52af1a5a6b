import { createRandom } from '../../../compute/model/random.js';
import { candlesOfReturns } from './candles-of-returns.js';
import { independentReturns } from './independent-returns.js';
import { usualDeviation, type MarketProcess } from './market-process.js';
import { normalDraw } from './normal-draw.js';

/** The share of the spread that is left a candle later: half of it is gone after seven. */
export const spreadKept = 0.9;

/** Two markets whose log prices differ by a stationary first-order autoregression. */
export const cointegratedPair: MarketProcess = {
  name: 'cointegrated pair',
  isIndependent: false,
  meanReturn: 0,
  draw(draw) {
    const { count, interval, seed } = draw;
    const [leader] = independentReturns.draw(draw);
    const random = createRandom(seed ^ 0x51ed270b);
    const deviation = usualDeviation[interval];
    let spread = 0;
    const follower = candlesOfReturns(count, interval, random, (index) => {
      const before = spread;
      spread = spreadKept * spread + (deviation / 2) * normalDraw(random);
      const moved = Math.log(leader.close[index] / leader.open[index]);
      return { logReturn: moved + spread - before, deviation };
    });
    return [leader, follower];
  },
};
