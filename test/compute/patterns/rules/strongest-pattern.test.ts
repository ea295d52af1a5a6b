import assert from 'node:assert/strict';
import type { PriceColumns } from '../../../../compute/patterns/rules/bars.js';
import { scanPatterns } from '../../../../compute/model/pattern.js';
import {
  patternsByStrength,
  strongestPattern,
} from '../../../../compute/patterns/rules/strongest-pattern.js';
import { flatCandles } from '../../../support/candles/odd-candles.js';
import { readPatternFixture } from '../../../support/candles/pattern-fixture.js';
import { randomCandles } from '../../../support/candles/random-candles.js';

// The order of the interface: 'patterns considered, the first that fires wins'.
const order =
  '3WHITESOLDIERS 3BLACKCROWS MORNINGDOJISTAR EVENINGDOJISTAR MORNINGSTAR EVENINGSTAR ABANDONEDBABY 3INSIDE ' +
  '3OUTSIDE ENGULFING PIERCING DARKCLOUDCOVER HARAMICROSS HARAMI HAMMER HANGINGMAN INVERTEDHAMMER SHOOTINGSTAR ' +
  'MARUBOZU DRAGONFLYDOJI GRAVESTONEDOJI DOJI SPINNINGTOP';

const none = { pattern: 'none', sentiment: 'neutral', value: 'none' };

/** What a scan of all candles says of one: written apart from the code under test. */
function strongestOfScan(found: Record<string, Int16Array>, at: number) {
  const first = patternsByStrength.find(({ name }) => found[name][at] !== 0);
  if (!first) return none;
  if (['DOJI', 'SPINNINGTOP'].includes(first.talib))
    return { pattern: first.title, sentiment: 'neutral', value: 'none' };
  const isUp = found[first.name][at] > 0;
  return {
    pattern: first.title,
    sentiment: isUp ? 'bullish' : 'bearish',
    value: isUp ? 'up' : 'down',
  };
}

describe('strongestPattern', () => {
  it('tries the patterns in the order of the interface', () => {
    assert.equal(patternsByStrength.map(({ talib }) => talib).join(' '), order);
  });

  it('equals a scan of the whole series, on every candle', () => {
    const titles = new Set<string>();
    const all: PriceColumns[] = [...readPatternFixture().series.map(({ candles }) => candles)];
    for (const candles of [...all, randomCandles(400, { seed: 5 })]) {
      const found = scanPatterns(patternsByStrength, candles);
      for (let at = 0; at < candles.close.length; at++) {
        const actual = strongestPattern(candles, at);
        assert.deepEqual(actual, strongestOfScan(found, at), `at ${at}`);
        titles.add(actual.pattern);
      }
    }
    // An abandoned baby is a doji star as well, and that one comes first.
    const never = patternsByStrength.filter(({ title }) => !titles.has(title));
    assert.deepEqual(
      never.map(({ talib }) => talib),
      ['ABANDONEDBABY'],
    );
    assert.ok(titles.has('none'));
  });

  it('reads the last candle unless told which', () => {
    const candles = randomCandles(300, { seed: 2 });
    assert.deepEqual(strongestPattern(candles), strongestPattern(candles, 299));
  });

  it('finds none on too few candles, and a doji on a price that never moves', () => {
    for (const count of [0, 1, 2]) assert.deepEqual(strongestPattern(randomCandles(count)), none);
    assert.deepEqual(strongestPattern(flatCandles(30)), { ...none, pattern: 'Doji' });
  });
});
