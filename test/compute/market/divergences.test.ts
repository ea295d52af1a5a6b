import assert from 'node:assert/strict';
import {
  findDivergences,
  type Divergence,
  type DivergenceParams,
  type DivergenceReport,
} from '../../../compute/market/divergences.js';
import { sliceCandles, type Candles } from '../../../compute/model/candles.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { demoCandles } from '../../support/candles/demo-candles.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const find = (candles: Candles, lookback = 300, scratch?: ScratchBuffers) =>
  findDivergences({ candles, interval: '4h', params: { lookback } }, scratch).divergences;

/** What stays of a divergence as time goes on. */
const lasting = ({ indicator, type, sentiment, from, to, confirmedAt }: Divergence) =>
  JSON.stringify([indicator, type, sentiment, from, to, confirmedAt]);

describe('findDivergences', () => {
  const points = expectedReadings<DivergenceReport, DivergenceParams>('divergences', { lookback: 120 });

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points) {
      const { close, volume } = question.candles;
      const scale = Math.max(close.at(-1)!, ...volume.subarray(-300));
      assertAlike(findDivergences(question), expected, title, scale);
    }
  });

  it('is tested with every indicator, type, sentiment and status', () => {
    const all = points.flatMap(({ expected }) => expected.divergences);
    const kinds = all.map(({ indicator, type, sentiment, status }) =>
      [indicator, type, sentiment, status].join(' '),
    );
    assert.ok(new Set(kinds).size >= 22);
  });

  it('never takes back or adds what was confirmed before, and has announced it as pending', () => {
    const candles = demoCandles('ETH_BTC', '4h');
    const scratch = new ScratchBuffers();
    const said = new Map<string, number>();
    const announced = new Set<string>();
    for (let count = 900; count < 1190; count++) {
      scratch.clear();
      const now = find(sliceCandles(candles, 0, count), 300, scratch);
      for (const each of now) {
        const { indicator, type, to } = each;
        if (each.status === 'pending') announced.add([indicator, type, to.time].join(' '));
        else if (each.confirmedAt! > candles.time[899]) {
          const key = lasting(each);
          if (!said.has(key)) said.set(key, count);
          // It is said first on the candle that confirms it.
          assert.equal(candles.time[said.get(key)!], each.confirmedAt);
          if (said.get(key)! > 910) assert.ok(announced.has([indicator, type, to.time].join(' ')));
        }
      }
      const known = new Set(now.map(lasting));
      for (const key of said.keys()) assert.ok(known.has(key), key);
    }
    assert.ok(said.size > 20, `${said.size}`);
  });

  it('finds fewer the shorter it looks back, and the same ones', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const candles = randomCandles(500, { seed });
      const all = find(candles);
      for (const lookback of [1, 3, 20, 120])
        assert.deepEqual(
          find(candles, lookback),
          all.filter(({ candlesAgo }) => candlesAgo < lookback),
        );
    }
  });

  it('sees a higher high on less strength as a regular divergence', () => {
    const candles = randomCandles(120);
    // Up steeply to a peak on candle 80, back a little, and slowly up to a higher one on candle 100.
    const path = (i: number) =>
      i <= 80
        ? 100 + Math.max(0, i - 60) * 2
        : i <= 88
          ? 140 - (i - 80) * 1.5
          : i <= 100
            ? 128 + (i - 88) * 1.2
            : 142.4 - (i - 100);
    for (let i = 0; i < 120; i++) {
      const price = path(i);
      candles.open[i] = candles.close[i] = price;
      candles.high[i] = price + 0.1;
      candles.low[i] = price - 0.1;
      candles.volume[i] = 0;
    }
    const at100 = find(candles).filter(({ to }) => to.time === candles.time[100]);
    assert.deepEqual(
      at100.map(({ indicator, type, sentiment, candles: apart }) => [indicator, type, sentiment, apart]),
      [
        ['rsi', 'regular', 'bearish', 20],
        ['macd_histogram', 'regular', 'bearish', 20],
      ],
    );
  });

  it('takes two highs that are all but equal for no divergence', () => {
    const candles = randomCandles(400, { seed: 6 });
    const found = find(candles);
    assert.ok(found.length > 10);
    for (const { to, from, indicator } of found) {
      const at = candles.time.indexOf(to.time);
      const ranges = Array.from({ length: 60 }, (_, n) => candles.high[at - n] - candles.low[at - n]);
      // ATR of a walk without gaps is some mean of its ranges.
      assert.ok(Math.abs(to.price - from.price) > 0.1 * Math.min(...ranges));
      if (indicator === 'rsi') assert.ok(Math.abs(to.value - from.value) >= 1);
    }
  });
});
