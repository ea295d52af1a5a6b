import assert from 'node:assert/strict';
import { sliceCandles } from '../../../compute/model/candles.js';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';
import { assessTrade } from '../../../compute/risk/assess-risk.js';
import { assertRounded } from '../../support/numbers/assert-rounded.js';
import { readSharedRisk } from '../../support/candles/risk-points.js';
import { describeWithSharedData, sharedCandles, sharedPairs } from '../../support/candles/shared-data.js';

describeWithSharedData('assessRisk on real candles', function () {
  this.timeout(60_000);
  const points = readSharedRisk();

  it('is compared at 540 points, of every profile, session, side and kind of day', () => {
    assert.equal(points.length, 540);
    const kinds = new Set(
      points.flatMap(({ side, expected: { riskProfile, marketSession, dayOfWeek } }) => [
        side,
        riskProfile,
        marketSession,
        dayOfWeek,
      ]),
    );
    assert.equal(kinds.size, 2 + 3 + 3 + 2);
    const rules = points.flatMap(({ expected }) =>
      expected.reasons.map(({ rule, points: given }) => `${rule} ${given > 0}`),
    );
    assert.equal(new Set(rules).size, 24, 'every rule holds somewhere, and somewhere not');
  });

  for (const pair of sharedPairs)
    it(`equals an independent implementation in every field of ${pair}`, () => {
      const leading = sharedCandles('BTC_USDT', '1h');
      const all = sharedCandles(pair, '1h');
      const scratch = new ScratchBuffers();
      const own = points.filter((point) => point.pair === pair);
      assert.equal(own.length, 108);
      for (const { candles: count, side, expected } of own) {
        const candles = sliceCandles(all, 0, count);
        scratch.clear();
        const actual = assessTrade({ candles, leading, isLeading: pair === 'BTC_USDT', side }, scratch);
        assertRounded(actual, expected, candles.close[count - 1], `${pair} ${count} ${side}`);
      }
    });
});
