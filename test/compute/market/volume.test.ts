import assert from 'node:assert/strict';
import { reportVolume, type VolumeReport } from '../../../compute/market/volume.js';
import { readVolume } from '../../../compute/risk/volume.js';
import { assertAlike } from '../../support/numbers/assert-alike.js';
import { expectedReadings } from '../../support/candles/demo-readings.js';
import { flatCandles } from '../../support/candles/odd-candles.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const report = (candles = randomCandles(600)) => reportVolume({ candles, interval: '1h', params: {} });

describe('reportVolume', () => {
  const points = expectedReadings<VolumeReport>('volume');

  it('equals an independent implementation in every field', () => {
    assert.ok(points.length > 60);
    for (const { title, question, expected } of points) assertAlike(reportVolume(question), expected, title);
  });

  it('is tested with every way that volume goes, and every place in the value area', () => {
    const all = points.map(({ expected }) => expected);
    const kinds = (of: (report: VolumeReport) => unknown) => new Set(all.map(of)).size;
    for (const [kind, count] of [
      [kinds(({ obv }) => obv.direction), 3],
      [kinds(({ obv }) => obv.agreement), 3],
      [kinds(({ valueArea }) => valueArea?.position), 3],
      [kinds(({ volumeSpread }) => volumeSpread.momentum), 3],
      [kinds(({ vwap }) => vwap.session === null), 2],
    ])
      assert.ok(kind >= count, `${kind} of ${count}`);
  });

  it('has the blocks of the risk assessment', () => {
    const candles = randomCandles(300, { seed: 8 });
    const { volume, volumeAverage, volumeSpread, relativeVolume } = readVolume(candles);
    assert.deepEqual(
      { ...report(candles), relativeVolume },
      { ...report(candles), volume, volumeAverage, volumeSpread, relativeVolume },
    );
  });

  it('sees volume go with price, and against it', () => {
    const candles = randomCandles(100);
    for (let i = 0; i < 100; i++) {
      const rises = i % 3 > 0;
      candles.close[i] = candles.high[i] = candles.low[i] = 100 + i + (rises ? 1 : -1);
      candles.volume[i] = rises ? 10 : 1;
    }
    assert.equal(report(candles).obv.agreement, 'confirms');
    for (let i = 1; i < 100; i++) candles.volume[i] = candles.close[i] > candles.close[i - 1] ? 1 : 50;
    const { obv } = report(candles);
    assert.deepEqual(
      [obv.direction, obv.priceDirection, obv.agreement],
      ['falling', 'rising', 'contradicts'],
    );
  });

  it('has no flow, slope, average or value area without volume, and no zone', () => {
    const candles = randomCandles(300);
    candles.volume.fill(0);
    const { obv, mfi, valueArea, valueAreaReason, volume, vwap } = report(candles);
    assert.deepEqual([obv.slope, obv.rSquared, obv.direction], [null, null, 'flat']);
    assert.deepEqual(mfi, { value: null, reason: 'no volume moved the price', zone: 'neutral' });
    const none = (candles: number) => `nothing was traded on the last ${candles} candles`;
    assert.deepEqual([valueArea, valueAreaReason, obv.reason], [null, none(200), none(20)]);
    assert.equal(volume.value, 'n/a');
    assert.deepEqual(vwap, {
      ...{ rolling: null, rollingReason: none(24) },
      ...{ session: null, sessionReason: 'nothing was traded since midnight UTC' },
    });
  });

  it('takes a fall on the first candle of the fourteen for flow', () => {
    const candles = flatCandles(40);
    for (const column of ['open', 'high', 'low', 'close'] as const) candles[column].fill(101, 0, 26);
    assert.deepEqual(report(candles).mfi, { value: 0, reason: null, zone: 'oversold' });
    for (const column of ['open', 'high', 'low', 'close'] as const) candles[column].fill(100, 25, 26);
    assert.deepEqual(report(candles).mfi, {
      value: null,
      reason: 'no volume moved the price',
      zone: 'neutral',
    });
  });

  it('tells no flow from flow that only falls', () => {
    const candles = randomCandles(40);
    for (let i = 0; i < 40; i++) candles.high[i] = candles.low[i] = candles.close[i] = 100 - i;
    assert.deepEqual(report(candles).mfi, { value: 0, reason: null, zone: 'oversold' });
    assert.deepEqual(report(flatCandles(40)).mfi, {
      value: null,
      reason: 'no volume moved the price',
      zone: 'neutral',
    });
  });
});
