import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { flipPrice } from '../../../compute/core-line/flip-price.js';
import { computeCoreLine } from '../../../compute/core-line/states.js';
import { sliceCandles } from '../../../compute/model/candles.js';
import { stateName, type TrendState } from '../../../compute/model/core-line.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';
import { projectRoot } from '../../support/harness/paths.js';

/** A stretch of demo candles and what test/fixtures/make-flip-prices.py found, in Python and by brute force. */
interface Stretch {
  series: string;
  from: number;
  to: number;
  state: TrendState;
  unmoved: TrendState;
  closes: Record<TrendState, number | null>;
}

const stretches = JSON.parse(
  gunzipSync(readFileSync(join(projectRoot, 'test/fixtures/flip-prices.json.gz'))).toString(),
) as Stretch[];

describe('flipPrice on demo candles', () => {
  it('has a reference for every series, with turns up, down and out of reach', () => {
    const closes = stretches.flatMap((each) => Object.values(each.closes));
    assert.ok(closes.filter((close) => close === null).length > 50);
    assert.ok(closes.filter((close) => close !== null).length > 150);
    assert.equal(new Set(stretches.map(({ series }) => series)).size, demoSeries.length);
  });

  for (const { pair, interval } of demoSeries)
    it(`equals the reference to 1e-9 on ${interval} candles of ${pair}`, () => {
      for (const stretch of stretches.filter(({ series }) => series === `${pair}-${interval}`)) {
        const candles = sliceCandles(demoCandles(pair, interval), stretch.from, stretch.to);
        const coreLine = computeCoreLine(candles);
        const { unmoved, stays, targets } = flipPrice(candles, coreLine)!;
        const state = stateName(coreLine.state.at(-1)!)!;
        assert.deepEqual([state, unmoved], [stretch.state, stretch.unmoved]);
        for (const { to, nearest } of [{ to: state, nearest: stays }, ...targets])
          assertClose(nearest?.close ?? null, stretch.closes[to], `${to}, ${stretch.from} to ${stretch.to}`);
      }
    });
});
