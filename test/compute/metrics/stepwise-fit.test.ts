import assert from 'node:assert/strict';
import { stepwiseFit } from '../../../compute/metrics/stepwise-fit.js';
import { linearRegression } from '../../../compute/metrics/linear-regression.js';
import { assertClose } from '../../support/numbers/close-to.js';
import { randomCandles } from '../../support/candles/random-candles.js';

describe('stepwiseFit', () => {
  const { close, volume } = randomCandles(80);
  const ones = new Float64Array(80).fill(1);

  it('leaves after a constant and a slope what a straight line leaves', () => {
    const { squaresLeft, along } = stepwiseFit([ones, close], volume);
    const line = linearRegression(close, volume)!;
    const spread = volume.map((value, i) => value - line.intercept - line.slope * close[i]);
    assertClose(
      squaresLeft[2],
      spread.reduce((sum, value) => sum + value * value, 0),
      'squares left',
    );
    assertClose(along[1] / Math.sqrt(squaresLeft[2] / 78), line.slope / line.slopeError!, 't value');
  });

  it('takes nothing out twice, and changes no column', () => {
    const before = [...volume];
    const { squaresLeft, along } = stepwiseFit([ones, close, close.map((value) => 3 * value - 2)], volume);
    assert.equal(along[2], 0);
    assert.equal(squaresLeft[3], squaresLeft[2]);
    assert.deepEqual([...volume], before);
    assert.ok(ones.every((value) => value === 1));
  });

  it('leaves all of it without regressors', () => {
    assert.deepEqual(stepwiseFit([], Float64Array.of(3, 4)), { squaresLeft: [25], along: [] });
  });
});
