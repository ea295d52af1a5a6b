import assert from 'node:assert/strict';
import { flipPriceAnalysis } from '../../../compute/core-line/flip-price-analysis.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { copyCandles, createCandles, sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { stateName } from '../../../compute/model/core-line.js';
import { demoCandles, demoPairs } from '../../support/candles/demo-candles.js';
import { describeWithSharedData, sharedCandles, sharedSeries } from '../../support/candles/shared-data.js';

const read = (candles: Candles) => flipPriceAnalysis.run({ candles, interval: '1d', params: {} });

/** The state after one more candle that opens at the last close and closes at `close`, without wicks. */
function stateAfter(candles: Candles, close: number) {
  const count = candles.time.length;
  const more = createCandles(count + 1);
  copyCandles(candles, more, 0);
  const open = candles.close[count - 1];
  more.time[count] = candles.time[count - 1] + 86_400_000;
  more.open[count] = open;
  more.high[count] = Math.max(open, close);
  more.low[count] = Math.min(open, close);
  more.close[count] = close;
  return stateName(computeCoreLine(more).state[count]);
}

/** The levels that a headline tells, with how it puts them. */
const levelsIn = (words: string) =>
  [...words.matchAll(/(above|below) ([\d.]+) \(/g)].map(([, side, text]) => ({
    side,
    text,
    level: Number(text),
  }));

/** One more of the last digit that is told of a price. */
const stepOf = (price: number) => 10 ** -Math.max(0, 5 - Math.floor(Math.log10(price)));

/** Every close that the headline tells does what it says, and the closes one step before and after the level do the opposite. */
function assertHeadline(candles: Candles): string {
  const reading = read(candles);
  const headline = flipPriceAnalysis.tool!.headline({ ...reading, asset: 'BTC', interval: '1d' });
  const last = reading.price;
  for (const [, words, to] of headline.matchAll(/A close (.+?) turns it to (\w+)\./g)) {
    const turns = (close: number) => stateAfter(candles, close) === to;
    const isAnywhere = words.startsWith('anywhere');
    assert.equal(turns(last), isAnywhere, headline);
    for (const [n, { side, text, level }] of levelsIn(words).entries()) {
      const outward = (level > last ? 1 : -1) * stepOf(level);
      if (words.includes(`at or ${side} ${text}`)) {
        assert.equal(turns(level), !isAnywhere, `${headline} at ${level}`);
        assert.equal(turns(level - outward), isAnywhere, `${headline} a step before ${level}`);
      } else {
        assert.equal(n, 1);
        assert.ok(turns(level - outward) && !turns(level + outward), `${headline} at the end ${level}`);
      }
    }
  }
  return headline;
}

function assertHeadlines(candles: Candles): Set<string> {
  const forms = new Set<string>();
  const step = Math.max(97, Math.floor(candles.time.length / 30));
  for (let count = 61; count <= candles.time.length; count += step) {
    const headline = assertHeadline(sliceCandles(candles, Math.max(0, count - 500), count));
    for (const [form] of headline.matchAll(/anywhere( but)?|at or above|and below|and above/g))
      forms.add(form);
  }
  return forms;
}

describe('flip-price', () => {
  for (const pair of demoPairs)
    it(`names closes of ${pair} that bring each state, as the rule says of a candle that closes there`, () => {
      const candles = demoCandles(pair, '1d');
      for (let count = 100; count <= candles.time.length; count += 37) {
        const part = sliceCandles(candles, 0, count);
        const last = part.close[count - 1];
        const { state, unmoved, targets, price, candles: found } = read(part);
        assert.deepEqual([found, price], [count, last]);
        assert.equal(state, stateName(computeCoreLine(part).state[count - 1]));
        assert.equal(unmoved, stateAfter(part, last));
        assert.equal(targets.length, 2);
        for (const { to, nearest } of targets) {
          if (nearest === null) continue;
          assert.equal(stateAfter(part, nearest.close), to);
          assert.equal(nearest.percent, (nearest.close / last - 1) * 100);
        }
      }
    });

  it('tells levels where the state turns, and a step before which it does not', function () {
    this.timeout(60_000);
    const forms = demoPairs.flatMap((pair) => [...assertHeadlines(demoCandles(pair, '4h'))]);
    assert.ok(forms.includes('anywhere but'), [...new Set(forms)].join());
  });

  it('refuses a history without a state', () => {
    assert.throws(() => read(sliceCandles(demoCandles('BTC_USDT', '1d'), 0, 60)), {
      code: 'not_enough_history',
      message: 'a flip price needs 61 closed 1d candles, found 60',
    });
  });
});

describeWithSharedData('flip-price of real candles', () => {
  for (const { pair, interval } of sharedSeries)
    it(`tells levels of ${pair} on ${interval} where the state turns`, function () {
      this.timeout(60_000);
      assertHeadlines(sharedCandles(pair, interval));
    });
});
