import assert from 'node:assert/strict';
import { flipPriceAnalysis, type FlipPriceReading } from '../../../compute/core-line/flip-price-analysis.js';
import { candlestickPatterns } from '../../../compute/market/candlestick-patterns.js';
import { targetProbability } from '../../../compute/risk/target-probability.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

const candles = demoCandles('BTC_USDT', '1d');
const about = { asset: 'BTC', interval: '1d' } as const;

describe('headlines of readings', () => {
  it('have the level that a turn needs, also where it takes several candles', () => {
    const { assumption, ...read } = flipPriceAnalysis.run({ candles, interval: '1d', params: {} });
    const close = { close: 90, percent: -10, atr: -2, lowest: null, highest: 90 };
    const targets: FlipPriceReading['targets'] = [
      { to: 'wait', nearest: close, candlesNeeded: 1, agreeing: null },
      { to: 'distribute', nearest: null, candlesNeeded: 3, agreeing: close },
    ];
    assert.match(
      flipPriceAnalysis.tool!.headline({ ...read, ...about, assumption, targets, price: 100 }),
      /A close at or below 90 \(-10 %\) turns it to wait\. It takes 3 candles to turn to distribute, the first closing at or below 90 \(-10 %\)\./,
    );
  });

  it('decide by the starts at volatility like that of today', () => {
    const price = candles.close.at(-1)!;
    const order = { target: String(price * 1.06), stop: String(price * 0.97) };
    const params = { side: 'long' as const, entry: null, maxCandles: 30, ...order };
    const { similar, ...read } = targetProbability.run({ candles, interval: '1d', params });
    const words = (more: object) =>
      targetProbability.tool!.headline({ ...read, ...about, similar: { ...similar, ...more } });
    const below = { targetPercent: 18.2, targetLowPercent: 10, targetHighPercent: 29, independent: 30 };
    assert.match(
      words(below),
      /^BTC on 1d: below break-even: at volatility like today's the target came first in 18\.2 % of \d+ starts \(in [\d.]+ % of all \d+\); break-even needs 33\.3 %/,
    );
    assert.match(words({ ...below, targetLowPercent: 40 }), /^BTC on 1d: above break-even: /);
    assert.match(words({ ...below, targetHighPercent: 40 }), /: not distinguishable from break-even: /);
    assert.match(words({ ...below, independent: 2 }), /too few were at volatility like today's/);
  });

  it('tell the latest candle once, with the names of its patterns', () => {
    const { patterns, ...read } = candlestickPatterns.run({
      ...{ candles, interval: '1d' },
      params: { lookback: 100 },
    });
    const text = candlestickPatterns.tool!.headline({ ...read, ...about, patterns });
    const latest = patterns.filter(({ candlesAgo }) => candlesAgo === patterns[0].candlesAgo);
    for (const { pattern, sentiment } of latest) assert.ok(text.includes(`${pattern} (${sentiment})`), text);
    const ends = new Set(patterns.map(({ time }) => time)).size;
    assert.ok(
      text.startsWith(`${ends} candles end ${patterns.length} candlestick patterns among the last 100`),
    );
    assert.match(
      candlestickPatterns.tool!.headline({ ...read, ...about, patterns: [] }),
      /^No candle ends a candlestick pattern among the last 100 1d candles of BTC\.$/,
    );
  });
});
