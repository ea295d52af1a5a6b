import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { allAnalyses } from '../../compute/analyses.js';
import { tasks } from '../../compute/tasks.js';
import { sourceFiles } from '../support/harness/source-folder.js';

const names = allAnalyses.map(({ name }) => name);

/** The names given to a function of compute that defines things. */
const definedBy = (define: string): string[] =>
  sourceFiles('compute').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(new RegExp(`${define}\\(\\{\\s+name: '([^']+)'`, 'g'))].map(
      ([, name]) => name,
    ),
  );

describe('the registry of analyses', () => {
  it('is in alphabetical order of the names', () => {
    assert.deepEqual(names, names.toSorted());
  });

  it('lists every analysis that compute defines', () => {
    assert.deepEqual(definedBy('defineAnalysis').toSorted(), names);
  });

  it('describes each in words, and gives an example of every parameter without a default', () => {
    for (const { name, title, summary, params, cost } of allAnalyses) {
      assert.ok(title.length > 3 && summary.length > 30, name);
      assert.ok(cost >= 1);
      for (const [param, { kind, text, default: usual, example }] of Object.entries(params)) {
        assert.ok(text.length > 3, `${name}: ${param}`);
        if (kind !== 'params') assert.ok(usual !== undefined || example !== undefined, `${name}: ${param}`);
      }
    }
  });
});

describe('the registry of tasks', () => {
  it('lists every task that compute defines beside the analyses', () => {
    const analysed = new Set<string>(names);
    const own = tasks.map(({ name }) => name as string).filter((name) => !analysed.has(name));
    assert.deepEqual(own, definedBy('defineTask').toSorted());
  });
});
