import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { allAnalyses } from '../../compute/analyses.js';
import { tasks } from '../../compute/tasks.js';
import { sourceFiles, sourceNames } from '../support/harness/source-folder.js';

describe('the registry of analyses', () => {
  const names = allAnalyses.map(({ name }) => name);

  it('is in alphabetical order of the names', () => {
    assert.deepEqual(names, names.toSorted());
  });

  it('lists every analysis that compute defines', () => {
    const defined = sourceFiles('compute').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/defineAnalysis\(\{\s+name: '([^']+)'/g)].map(
        ([, name]) => name,
      ),
    );
    assert.deepEqual(defined.toSorted(), names);
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
  it('lists the files of its folder beside the analyses', () => {
    const own = tasks
      .map(({ name }) => name as string)
      .filter((name) => !allAnalyses.some((each) => each.name === name));
    assert.deepEqual(own, sourceNames('compute/tasks'));
  });
});
