import assert from 'node:assert/strict';
import { schedules } from '../../../jobs/schedules/index.js';
import { sourceNames } from '../../support/harness/source-folder.js';

describe('the registry of schedules', () => {
  it('lists the files of its folder, in the order of the alphabet', () => {
    const names = sourceNames('jobs/schedules').filter((name) => name !== 'for-each');
    assert.deepEqual(
      schedules.map(({ name }) => name),
      names,
    );
  });

  it('has a pattern of six fields, a limit and a summary of each', () => {
    for (const { pattern, limitMs, summary } of schedules) {
      assert.equal(pattern.split(' ').length, 6);
      assert.ok(limitMs >= 60_000 && summary.length > 20);
    }
  });
});
