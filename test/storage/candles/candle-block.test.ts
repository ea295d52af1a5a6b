import assert from 'node:assert/strict';
import { BSON } from 'mongodb';
import {
  blockId,
  blockIds,
  decodeBlock,
  encodeBlock,
  monthOf,
} from '../../../storage/candles/candle-block.js';
import { gapsIn } from '../../../storage/candles/gaps.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { hourMs, pickCandles, withoutCandles } from './candle-parts.js';

const key = { market: 'csv', base: 'BTC', quote: 'USDT', interval: '1h' } as const;
const startMs = Date.UTC(2024, 1, 1);

describe('blockId', () => {
  it('names market, pair, interval and month, UTC', () => {
    assert.equal(blockId(key, Date.UTC(2024, 1, 29, 23)), 'csv:BTC/USDT:1h:2024-02');
    assert.equal(blockId(key, Date.UTC(2024, 2, 1)), 'csv:BTC/USDT:1h:2024-03');
  });

  it('orders months as time does', () => {
    const months = Array.from({ length: 30 }, (_, month) => monthOf(Date.UTC(2022, month)));
    assert.deepEqual([...months].sort(), months);
  });
});

describe('blockIds', () => {
  it('has every month from one to that of a time, both with them', () => {
    const ids = blockIds(key, '2023-11', Date.UTC(2024, 1, 29, 23));
    const months = ['2023-11', '2023-12', '2024-01', '2024-02'];
    assert.deepEqual(
      ids,
      months.map((month) => `csv:BTC/USDT:1h:${month}`),
    );
    assert.deepEqual(blockIds(key, '2024-02', Date.UTC(2024, 1, 1)), ['csv:BTC/USDT:1h:2024-02']);
    assert.deepEqual(blockIds(key, '2024-03', Date.UTC(2024, 1, 29)), []);
  });
});

describe('encodeBlock', () => {
  it('is undone by decodeBlock, also after its way through BSON', () => {
    const candles = randomCandles(700, { startMs });
    const block = encodeBlock(key, candles);
    assert.deepEqual(decodeBlock(block), candles);
    const stored = BSON.deserialize(BSON.serialize(block), { promoteBuffers: false });
    assert.deepEqual(decodeBlock(stored as typeof block), candles);
  });

  it('takes a part of longer columns', () => {
    const part = pickCandles(randomCandles(50, { startMs }), [10, 11, 12]);
    const whole = randomCandles(50, { startMs });
    const view = encodeBlock(key, { ...whole, ...part });
    assert.deepEqual(decodeBlock(view), part);
  });

  it('has first, last, count and gaps', () => {
    const candles = withoutCandles(randomCandles(10, { startMs }), [3, 4, 8]);
    const { _id, first, last, count, gaps } = encodeBlock(key, candles);
    assert.deepEqual(
      { _id, first, last, count, gaps },
      {
        _id: 'csv:BTC/USDT:1h:2024-02',
        first: startMs,
        last: startMs + 9 * hourMs,
        count: 7,
        gaps: [
          { after: startMs + 2 * hourMs, next: startMs + 5 * hourMs, missing: 2 },
          { after: startMs + 7 * hourMs, next: startMs + 9 * hourMs, missing: 1 },
        ],
      },
    );
  });

  it('has one digest for equal candles and another for any other value', () => {
    const candles = randomCandles(5, { startMs });
    const { digest } = encodeBlock(key, candles);
    assert.equal(encodeBlock(key, randomCandles(5, { startMs })).digest, digest);
    candles.volume[4] += 1e-9;
    assert.notEqual(encodeBlock(key, candles).digest, digest);
  });
});

describe('gapsIn', () => {
  it('counts in candles of the interval', () => {
    const days = [1, 2, 5].map((day) => Date.UTC(2024, 0, day));
    assert.deepEqual(gapsIn(days, '1d'), [{ after: days[1], next: days[2], missing: 2 }]);
    assert.equal(gapsIn(days, '4h')[0].missing, 5);
  });

  it('finds none in one candle and in none', () => {
    assert.deepEqual([gapsIn([], '1h'), gapsIn([startMs], '1h')], [[], []]);
  });
});
