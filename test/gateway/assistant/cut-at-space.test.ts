import assert from 'node:assert/strict';
import { cutAtSpace } from '../../../gateway/assistant/agent/answer-by-model.js';

describe('cutAtSpace', () => {
  it('leaves no part of a figure', () => {
    assert.equal(cutAtSpace('BTC is at 61,234.5 USDT', 23), 'BTC is at 61,234.5 USDT');
    assert.equal(cutAtSpace('BTC is at 61,234.5 USDT', 22), 'BTC is at 61,234.5 …');
    for (let longest = 12; longest < 19; longest++)
      assert.equal(cutAtSpace('BTC is at 61,234.5 USDT', longest), 'BTC is at …');
  });

  it('is never longer than it may be', () => {
    const text = 'One word  and\nanother, 1 234 567. '.repeat(20);
    for (let longest = 2; longest < text.length; longest++)
      assert.ok(cutAtSpace(text, longest).length <= longest, `${longest}`);
  });
});
