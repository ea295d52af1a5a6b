import assert from 'node:assert/strict';
import { profitFactor } from '../../../compute/metrics/trade-figures.js';
import { tradeOf } from '../../support/candles/trade-of.js';

const of = (...gains: number[]) => profitFactor(gains.map((gain) => tradeOf({ gain })));

describe('profitFactor', () => {
  it('is gross profit over gross loss in quote units', () => {
    assert.equal(of(30, -10, 20, -15), 2);
    assert.equal(of(0, -10), 0);
  });

  it('is null where nothing was lost', () => {
    assert.equal(of(), null);
    assert.equal(of(10, 20), null);
    assert.equal(of(0), null);
  });
});
