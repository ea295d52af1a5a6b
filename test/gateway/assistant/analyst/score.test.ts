import assert from 'node:assert/strict';
import { missesOf } from '../../../support/assistant/judge-turn.js';
import { readQuestions } from '../../../support/assistant/questions.js';

/** The sets of questions, and the least share of their turns that has to be understood. */
const sets = {
  'questions.json': 0.97,
  'second-questions.json': 0.97,
  'third-questions.json': 0.95,
  'fourth-questions.json': 0.88,
  'development-questions.json': 0.95,
};

describe('the built-in analyst', () => {
  for (const [file, least] of Object.entries(sets))
    it(`understands at least ${least * 100} % of the turns of ${file}`, () => {
      const questions = readQuestions(file);
      const turns = questions.flatMap((each) => each.turns).length;
      const misses = questions.flatMap(missesOf);
      const report = misses.map(
        ({ id, ask, expected, made }) =>
          `${id}: ${ask}\n  expected ${JSON.stringify(expected)}\n  made     ${JSON.stringify(made)}`,
      );
      const share = 1 - misses.length / turns;
      assert.ok(share >= least, `${(share * 100).toFixed(1)} % of ${turns} turns\n${report.join('\n')}`);
    });
});
