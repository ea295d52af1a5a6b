import assert from 'node:assert/strict';
import { AnswerCache, type TimedAnswer } from '../../../../gateway/mcp/answers/answer-cache.js';

describe('remembered answers of tools', () => {
  const answer = (text: string, isStale: boolean, staleAtMs = 1_000): TimedAnswer => ({
    result: { content: [{ type: 'text', text }] },
    isStale,
    staleAtMs,
  });
  const made = (text: string, isStale: boolean) => () => answer(text, isStale);
  const never = () => assert.fail('was known');

  it('are given again until they go stale, and then as stale ones', () => {
    const cache = new AnswerCache();
    const fresh = cache.of('key', 0, made('fresh', false));
    assert.equal(cache.of('key', 1_000, never), fresh);
    const stale = cache.of('key', 1_001, made('stale', true));
    assert.deepEqual(stale.content, [{ type: 'text', text: 'stale' }]);
    assert.equal(cache.of('key', 9_999, never), stale);
    assert.deepEqual(cache.of('key', 1_000, made('fresh again', false)).content, [
      { type: 'text', text: 'fresh again' },
    ]);
  });

  it('are told apart by what they were made from', () => {
    const cache = new AnswerCache();
    const one = cache.of('one', 0, made('1', false));
    const other = cache.of('other', 0, made('2', false));
    assert.deepEqual([cache.of('one', 0, never), cache.of('other', 0, never)], [one, other]);
  });

  it('are made each time where one is too long to keep', () => {
    const cache = new AnswerCache();
    const long = () => answer('x'.repeat(200_000), false, Infinity);
    assert.notEqual(cache.of('key', 0, long), cache.of('key', 0, long));
  });
});
