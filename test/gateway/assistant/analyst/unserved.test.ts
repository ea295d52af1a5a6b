import assert from 'node:assert/strict';
import {
  judgeServed,
  judgeUnserved,
  laterQuestions,
  servedQuestions,
  strangersQuestions,
  unservedQuestions,
  type Verdict,
} from '../../../support/assistant/judge-answer.js';

const shareOf = (verdicts: readonly Verdict[], ...kinds: Verdict['verdict'][]): number =>
  verdicts.filter(({ verdict }) => kinds.includes(verdict)).length / verdicts.length;

const reportOf = (verdicts: readonly Verdict[]): string =>
  verdicts
    .filter(({ verdict }) => verdict !== 'honest' && verdict !== 'served')
    .map(({ verdict, turns, text }) => `${verdict}: ${turns.join(' >> ')}\n  ${text.slice(0, 200)}`)
    .join('\n');

/** The share of answers that leave words out. */
const notedShare = (verdicts: readonly Verdict[]): number =>
  verdicts.filter(({ text }) => /I leave "|can't be tested here; what/.test(text)).length / verdicts.length;

describe('the answers of the built-in analyst, judged', () => {
  it('name what can not be served before any figure', async () => {
    const verdicts = await Promise.all(unservedQuestions().map(judgeUnserved));
    assert.ok(verdicts.length >= 300);
    assert.ok(shareOf(verdicts, 'substituted') <= 0.01, reportOf(verdicts));
    assert.ok(shareOf(verdicts, 'honest') >= 0.95, reportOf(verdicts));
  });

  it('serve what can be served, without saying that it can not', async () => {
    const verdicts = await Promise.all(servedQuestions().map(judgeServed));
    assert.ok(shareOf(verdicts, 'served') >= 0.94, reportOf(verdicts));
    assert.ok(shareOf(verdicts, 'over-refused') <= 0.03, reportOf(verdicts));
    assert.ok(notedShare(verdicts) < 0.03, reportOf(verdicts));
  });

  it('name averages, conditions, negations and times that no slot takes', async () => {
    const { unserved, served } = laterQuestions();
    const verdicts = await Promise.all(unserved.map(judgeUnserved));
    assert.ok(shareOf(verdicts, 'substituted') <= 0.035, reportOf(verdicts));
    assert.ok(shareOf(verdicts, 'honest') >= 0.93, reportOf(verdicts));
    const others = await Promise.all(served.map(judgeServed));
    assert.ok(shareOf(others, 'served') >= 0.93, reportOf(others));
    assert.ok(shareOf(others, 'over-refused') <= 0.05, reportOf(others));
    assert.ok(notedShare(others) < 0.03, reportOf(others));
  });

  it('serve what strangers ask with stories, slang and long requests around it', async () => {
    const { unserved, served } = strangersQuestions();
    const verdicts = await Promise.all(unserved.map(judgeUnserved));
    assert.ok(shareOf(verdicts, 'substituted') <= 0.05, reportOf(verdicts));
    assert.ok(shareOf(verdicts, 'honest') >= 0.92, reportOf(verdicts));
    const others = await Promise.all(served.map(judgeServed));
    assert.ok(shareOf(others, 'served') >= 0.85, reportOf(others));
    assert.ok(shareOf(others, 'over-refused') <= 0.1, reportOf(others));
  });
});
