import assert from 'node:assert/strict';
import { expectancy } from '../../../compute/metrics/trade-figures.js';
import { tradeOf } from '../../support/candles/trade-of.js';

describe('expectancy', () => {
  it('is the mean return of a trade in percent', () => {
    assert.equal(expectancy([tradeOf({ returnRate: 0.5 }), tradeOf({ returnRate: -0.25 })]), 12.5);
  });

  it('is null without trades', () => assert.equal(expectancy([]), null));
});
