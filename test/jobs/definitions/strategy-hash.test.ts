import assert from 'node:assert/strict';
import { strategyHash } from '../../../jobs/definitions/shared/checked-strategy.js';

describe('strategyHash', () => {
  it('is that of the canonical JSON', () => {
    const strategy = {
      long: {
        entry: { right: '30.0', left: 'RSI_14', op: '<' },
        trailingStop: { period: 14, atr: 2, after: 0 },
      },
    };
    // printf '%s' '{"long":{"entry":{"left":"rsi_14","op":"<","right":30},"trailingStop":{"atr":2}}}' | sha256sum
    assert.equal(strategyHash(strategy), 'dc89a299927bf1801cb1ab454925fe0db104eea68fdad8067d7f9c20096909be');
  });
});
