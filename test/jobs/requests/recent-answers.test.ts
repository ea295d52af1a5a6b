import assert from 'node:assert/strict';
import { RecentAnswers } from '../../../jobs/requests/recent-answers.js';

const of = (length: number) => 'x'.repeat(length);

describe('RecentAnswers', () => {
  it('keeps answers within its limit, those that were asked for last', () => {
    const recent = new RecentAnswers(8 * 300);
    for (let n = 0; n < 8; n++) recent.add(`q${n}`, of(100));
    assert.equal(recent.find('q0')?.text, of(100));
    recent.add('q8', of(100));
    recent.add('q9', of(90));
    const kept = ['q0', 'q1', 'q2', 'q3', 'q8', 'q9'].filter((id) => recent.find(id) !== undefined);
    assert.deepEqual(kept, ['q0', 'q3', 'q8', 'q9']);
  });

  it('counts an answer once, however often it comes', () => {
    const recent = new RecentAnswers(2_400);
    for (let n = 0; n < 100; n++) recent.add('a', of(100));
    recent.add('b', of(100));
    assert.deepEqual([recent.find('a')?.text, recent.find('b')?.text], [of(100), of(100)]);
  });

  it('keeps none that would push out all others, and none where there is no room', () => {
    const recent = new RecentAnswers(8_000);
    recent.add('large', of(1_001));
    assert.equal(recent.find('large'), undefined);
    const forgetful = new RecentAnswers(0);
    forgetful.add('small', of(1));
    assert.equal(forgetful.find('small'), undefined);
  });

  it('gives back what it was given, whatever letters it is written in', () => {
    const recent = new RecentAnswers(800);
    recent.add('a', '{"title":"Ä → 🌊"}');
    assert.equal(recent.find('a')?.text, '{"title":"Ä → 🌊"}');
    assert.deepEqual(recent.find('a')?.result, { title: 'Ä → 🌊' });
  });

  it('parses an answer once for all callers of a moment', () => {
    const recent = new RecentAnswers(8_000);
    recent.add('a', '{"prices":[1,2,3]}');
    assert.equal(recent.find('a')?.result, recent.find('a')?.result);
    for (const text of ['1', '"text"', 'null']) {
      recent.add(text, text);
      assert.equal(recent.find(text)?.result, JSON.parse(text));
    }
  });
});
