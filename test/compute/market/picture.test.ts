import assert from 'node:assert/strict';
import { pictureOf, type Structure } from '../../../compute/market/picture.js';
import { tallyVotes, type GroupVerdict } from '../../../compute/market/verdict.js';
import { demoCandles, demoSeries } from '../../support/candles/demo-candles.js';
import { readingsApart } from '../../support/candles/readings-apart.js';

const votes = (bullish: number, bearish: number): GroupVerdict =>
  tallyVotes(
    Array.from({ length: bullish + bearish }, (_, n) => ({
      ...{ group: 'trend', indicator: 'any', value: null, reason: '' },
      vote: n < bullish ? 'bullish' : 'bearish',
    })),
  );

const waiting: Structure = { state: 'wait', candles: 12, adx: 17.24 };

describe('the picture of an asset', () => {
  it('says where the readings point and why, if they differ', () => {
    const groups = { trend: votes(5, 1), momentum: votes(1, 3) };
    const { says, ...picture } = pictureOf({ structure: waiting, groups, verdict: 'bullish', score: 0.31 });
    assert.deepEqual(picture, {
      ...{ structure: 'wait', trend: 'strongly bullish', momentum: 'strongly bearish', summary: 'bullish' },
      differs: true,
    });
    assert.equal(
      says,
      'structure: wait, because neither side was confirmed for 12 candles (ADX 17.2); trend: up (5 of 6 indicators); momentum: down (3 of 4 indicators); summary: bullish (score 0.31)',
    );
  });

  it('differs nowhere where all point the same way or none does', () => {
    const up = { trend: votes(5, 1), momentum: votes(3, 1) };
    const structure: Structure = { state: 'accumulate', candles: 3, adx: 30 };
    assert.equal(pictureOf({ structure, groups: up, verdict: 'bullish', score: 0.4 }).differs, false);
    const none = { trend: votes(3, 3), momentum: votes(2, 2) };
    assert.equal(
      pictureOf({ structure: waiting, groups: none, verdict: 'neutral', score: 0 }).differs,
      false,
    );
  });

  it('is named by both headlines wherever two of the demo market point opposite ways', () => {
    const found = demoSeries.flatMap(
      ({ pair, interval }) => readingsApart(pair, interval, demoCandles(pair, interval)).apart,
    );
    assert.ok(found.length > 5, `${found.length} pairs`);
    assert.deepEqual(
      found.filter(({ isNamed }) => !isNamed),
      [],
    );
  });
});
