import assert from 'node:assert/strict';
import { missesOf } from '../../../support/assistant/judge-turn.js';
import { readQuestions } from '../../../support/assistant/questions.js';

describe('the built-in analyst', () => {
  it('understands at least 95 % of the turns of the question set', () => {
    const questions = readQuestions('questions.json');
    const turns = questions.flatMap((each) => each.turns).length;
    const misses = questions.flatMap(missesOf);
    const report = misses.map(
      ({ id, ask, expected, made }) =>
        `${id}: ${ask}\n  expected ${JSON.stringify(expected)}\n  made     ${JSON.stringify(made)}`,
    );
    const share = 1 - misses.length / turns;
    assert.ok(share >= 0.95, `${(share * 100).toFixed(1)} % of ${turns} turns\n${report.join('\n')}`);
  });
});
