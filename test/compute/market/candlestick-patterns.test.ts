import assert from 'node:assert/strict';
import {
  reportCandlesticks,
  type CandlestickParams,
  type CandlestickReport,
} from '../../../compute/market/candlestick-patterns.js';
import { baseRateOf, followPatterns } from '../../../compute/market/pattern-history.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { computePattern } from '../../../compute/model/pattern.js';
import { patterns } from '../../../compute/patterns/index.js';
import { Bars } from '../../../compute/patterns/rules/bars.js';
import { strongestPattern } from '../../../compute/patterns/rules/strongest-pattern.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { naiveBinomialP } from '../../support/naive/naive-binomial-p.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const report = (candles = randomCandles(600), lookback = 20) =>
  reportCandlesticks({ candles, interval: '4h', params: { lookback } });

const byName = new Map(patterns.map((pattern) => [pattern.name, pattern]));

interface Named {
  talib: string;
  sentiment: string;
  candlesAgo?: number;
}

/** In the order and under the names of the independent implementation. */
const withTalibNames = <T extends { name: string; pattern: string; sentiment: string }>(rows: T[]) =>
  rows
    .map(({ name, pattern, ...rest }) => {
      const found = byName.get(name)!;
      assert.equal(found.title, pattern);
      return { talib: found.talib, ...rest };
    })
    .sort(inOrder);

const inOrder = (left: Named, right: Named) =>
  (left.candlesAgo ?? 0) - (right.candlesAgo ?? 0) ||
  left.talib.localeCompare(right.talib) ||
  left.sentiment.localeCompare(right.sentiment);

describe('reportCandlesticks', () => {
  const points = expectedReadings<CandlestickReport, CandlestickParams>('candlestick-patterns', {
    lookback: 20,
  });

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points) {
      const found = reportCandlesticks(question);
      const rows = found.patterns.map(({ candles, ...rest }) => {
        assert.equal(candles, byName.get(rest.name)!.candles);
        return rest;
      });
      const actual = { ...found, patterns: withTalibNames(rows), histories: withTalibNames(found.histories) };
      const sorted = {
        ...expected,
        patterns: (expected.patterns as unknown as Named[]).sort(inOrder),
        histories: (expected.histories as unknown as Named[]).sort(inOrder),
      };
      assertAlike(actual, sorted, title);
    }
  });

  it('is tested with many patterns, of every sentiment', () => {
    const histories = points.flatMap(
      ({ expected }) => expected.histories as unknown as (Named & { followed: { against: string } | null })[],
    );
    assert.ok(new Set(histories.map(({ talib }) => talib)).size >= 25);
    assert.equal(new Set(histories.map(({ sentiment }) => sentiment)).size, 3);
    assert.ok(histories.some(({ followed }) => followed?.against !== undefined));
  });

  it('calls a pattern better or worse only by a p-value corrected for all patterns of the report', () => {
    const bars = new Bars(randomCandles(3_000, { seed: 5 }));
    const isHammer = computePattern(byName.get('hammer')!, bars);
    const returns = Float64Array.from({ length: 2_995 }, (_, i) => (isHammer[i] > 0 || i % 2 === 0 ? 1 : -1));
    const kinds = ['hammer', 'hangingMan', 'engulfing'].map((name) => {
      const sentiment = name === 'hangingMan' ? ('bearish' as const) : ('bullish' as const);
      return { name, sentiment };
    });
    const base = baseRateOf(returns);
    const all = followPatterns(kinds, bars, returns, base);
    const [hammer] = all;
    assert.equal(hammer.followed!.against, 'better');
    const hits = hammer.counted;
    assertClose(hammer.followed!.pValue, naiveBinomialP(hits, hits, base.upPercent / 100), 'p-value');
    const smallest = Math.min(...all.map(({ followed }) => followed!.pValue!));
    assert.equal(hammer.followed!.pValue, smallest);
    assertClose(hammer.followed!.adjustedP, 3 * smallest, 'corrected for three');
    const [alone] = followPatterns([kinds[0]], bars, returns, base);
    assertClose(alone.followed!.adjustedP, smallest, 'alone');
  });

  it('says of a candle what it said when that was the last, and counts no more than had followed then', () => {
    const candles = sliceCandles(demoCandles('SOL_USDT', '4h'), 0, 2000);
    const whole = report(candles, 100).patterns;
    for (const count of [1905, 1940, 1977, 1999]) {
      const earlier = report(sliceCandles(candles, 0, count), 1).patterns;
      const later = whole.filter(({ time }) => time === candles.time[count - 1]);
      const still = later.map((each) => ({ ...each, candlesAgo: 0 }));
      assert.deepEqual(still, earlier);
    }
    for (const { seen, counted } of report(candles, 100).histories) assert.ok(counted <= seen);
  });

  it('puts the newest first, the longer pattern before the shorter', () => {
    const { patterns: found, histories } = report(randomCandles(800), 100);
    assert.ok(found.length > 100);
    for (let n = 1; n < found.length; n++) {
      const [before, after] = [found[n - 1], found[n]];
      assert.ok(
        before.candlesAgo < after.candlesAgo ||
          (before.candlesAgo === after.candlesAgo && before.candles >= after.candles),
      );
    }
    const kinds = found.map(({ name, sentiment }) => `${name} ${sentiment}`);
    assert.deepEqual(
      histories.map(({ name, sentiment }) => `${name} ${sentiment}`),
      [...new Set(kinds)],
    );
  });

  it('holds the strongest pattern of the risk assessment', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const candles = randomCandles(100, { seed });
      const { pattern, sentiment } = strongestPattern(candles);
      const found = report(candles, 1).patterns;
      assert.ok(
        pattern === 'none' || found.some((each) => each.pattern === pattern && each.sentiment === sentiment),
      );
    }
  });

  it('claims nothing for a pattern that nothing has followed yet', () => {
    let claimed = 0;
    for (let seed = 1; seed <= 20; seed++)
      for (const { counted, nextReturn, followed } of report(randomCandles(30, { seed }), 3).histories) {
        if (counted > 0 || !followed) continue;
        claimed++;
        const reason = 'there are no values';
        assert.deepEqual(nextReturn, { count: 0, mean: null, low: null, high: null, reason });
        assert.deepEqual(
          [followed.percent, followed.against, followed.reason],
          [null, 'no different', 'no occurrence counts'],
        );
      }
    assert.ok(claimed > 5);
  });
});
