import assert from 'node:assert/strict';
import { correlation } from '../../compute/metrics/correlation.js';
import { excessKurtosis, standardDeviation } from '../../compute/metrics/moments.js';
import { candleReturns, mean } from '../../compute/metrics/returns.js';
import { clusteredVolatility } from '../support/processes/clustered-volatility.js';
import { cointegratedPair, spreadKept } from '../support/processes/cointegrated-pair.js';
import { driftingRegimes } from '../support/processes/drifting-regimes.js';
import { gappedReturns } from '../support/processes/gapped-returns.js';
import { heavyPair } from '../support/processes/heavy-pair.js';
import { heavyTails } from '../support/processes/heavy-tails.js';
import { independentPair } from '../support/processes/independent-pair.js';
import { independentReturns } from '../support/processes/independent-returns.js';
import { jumps } from '../support/processes/jumps.js';
import { usualDeviation, type MarketProcess } from '../support/processes/market-process.js';
import { createRandom } from '../../compute/model/random.js';
import { candlesOfReturns } from '../support/processes/candles-of-returns.js';
import { normalDraw } from '../support/processes/normal-draw.js';
import { candlesWhere } from '../support/candles/pairs.js';
import { independentProcess } from '../support/processes/independent-process.js';

/** Independent returns, half of which are 0, as on a pair that is seldom traded. */
const stillHalf = independentProcess('still half of the time', (deviation, random) => () => {
  const moved = deviation * normalDraw(random) - deviation ** 2 / 2;
  return random.unit() < 0.5 ? 0 : moved;
});

/** The candles that are missing, one after the other. */
const outageCandles = 61;

/** Independent returns with one long outage anywhere. */
const oneOutage: MarketProcess = {
  name: 'one outage',
  isIndependent: true,
  meanReturn: 0,
  draw(draw) {
    const random = createRandom(draw.seed ^ 0x3c71);
    const from = Math.floor(random.unit() * (draw.count - outageCandles));
    return independentReturns
      .draw(draw)
      .map((candles) => candlesWhere(candles, (index) => index < from || index >= from + outageCandles));
  },
};

/** The size of the jump in usual deviations. */
const size = 15;

/** Independent returns, one of which, anywhere, is a jump up or down that outdoes all others; the price is a martingale. */
const oneJump: MarketProcess = {
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

const single = [
  independentReturns,
  clusteredVolatility,
  jumps,
  driftingRegimes,
  gappedReturns,
  heavyTails,
  oneJump,
  oneOutage,
  stillHalf,
];
const pairs = [independentPair, cointegratedPair, heavyPair];
const long = { count: 100_000, interval: '1h', seed: 1 } as const;

/** How much neighbouring values have in common. */
const neighbours = (values: Float64Array) => correlation(values.subarray(1), values.subarray(0, -1))!;
const squared = (values: Float64Array) => values.map((value) => value * value);

describe('the random markets', () => {
  for (const process of [...single, ...pairs])
    it(`are the same for the same seed, whole candles, and others for another seed: ${process.name}`, () => {
      const draw = { ...long, count: 500 };
      const [first] = process.draw(draw);
      assert.deepEqual(process.draw(draw), process.draw(draw));
      assert.notDeepEqual(process.draw({ ...draw, seed: 2 }), process.draw(draw));
      first.close.forEach((close, i) => {
        assert.ok(first.high[i] >= Math.max(first.open[i], close) * (1 - 1e-12));
        assert.ok(first.low[i] <= Math.min(first.open[i], close) * (1 + 1e-12));
        assert.ok(first.low[i] > 0 && first.volume[i] > 0);
      });
    });

  for (const { name, draw, meanReturn } of single)
    it(`have the mean return that they state: ${name}`, () => {
      const returns = candleReturns(draw(long)[0].close);
      // Regimes double the variance of a sum: 1 + 2 x 0.01 x 0.98 / 0.02.
      const error = (standardDeviation(returns) * Math.SQRT2) / Math.sqrt(returns.length);
      assert.ok(Math.abs(mean(returns) - meanReturn) < 4 * error, `${mean(returns)} +/- ${error}`);
    });

  it('differ as their names say', () => {
    const of = ({ draw }: (typeof single)[number]) => candleReturns(draw(long)[0].close);
    const deviation = standardDeviation(of(independentReturns));
    assert.ok(Math.abs(deviation / usualDeviation['1h'] - 1) < 0.02);
    assert.ok(Math.abs(neighbours(squared(of(independentReturns)))) < 0.02);
    assert.ok(neighbours(squared(of(clusteredVolatility))) > 0.1);
    assert.ok(excessKurtosis(of(jumps))! > 3);
    assert.ok(neighbours(of(driftingRegimes)) > 0.004);
    const share = gappedReturns.draw(long)[0].time.length / long.count;
    assert.ok(share > 0.93 && share < 0.97, `${share} of the candles are left`);
    assert.ok(excessKurtosis(of(heavyTails))! > 6);
    assert.ok(Math.abs(standardDeviation(of(heavyTails)) / usualDeviation['1h'] - 1) < 0.1);
    const short = { ...long, count: 500 };
    const jump = candleReturns(oneJump.draw(short)[0].close).map(Math.abs).sort();
    assert.ok(jump[498] > 3 * jump[497], `${jump[497]} and ${jump[498]}`);
    assert.equal(oneOutage.draw(short)[0].time.length, 439);
    const still = of(stillHalf).filter((each) => each === 0).length / long.count;
    assert.ok(Math.abs(still - 0.5) < 0.01, `${still} stand still`);
  });

  it('are pairs of which one is tied together, and one volatile at the same times', () => {
    const [one, other] = heavyPair.draw(long).map(({ close }) => candleReturns(close));
    assert.ok(Math.abs(correlation(one, other)! - 0.6) < 0.05);
    assert.ok(correlation(one.map(Math.abs), other.map(Math.abs))! > 0.5);
    const spreadOf = ({ draw }: (typeof pairs)[number]) => {
      const [one, other] = draw(long);
      return one.close.map((close, i) => Math.log(other.close[i] / close));
    };
    assert.ok(Math.abs(neighbours(spreadOf(cointegratedPair)) - spreadKept) < 0.01);
    assert.ok(neighbours(spreadOf(independentPair)) > 0.999);
  });
});
