import { independentProcess } from './independent-process.js';
import { normalDraw } from './normal-draw.js';

/** Share of candles with a jump, and its deviation as a multiple of the usual one. */
const [frequency, size] = [0.01, 5];

/** Independent returns, 1 in 100 of them with a jump: Merton's model, 1976. */
export const jumps = independentProcess('jumps', (deviation, random) => {
  const jumpDeviation = size * deviation;
  const expectedGrowth = 1 - frequency + frequency * Math.exp(jumpDeviation ** 2 / 2);
  const drift = -(deviation ** 2) / 2 - Math.log(expectedGrowth);
  return () => {
    const jump = random.unit() < frequency ? jumpDeviation * normalDraw(random) : 0;
    return drift + deviation * normalDraw(random) + jump;
  };
});
