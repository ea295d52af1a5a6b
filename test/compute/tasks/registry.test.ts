import assert from 'node:assert/strict';
import { tasks } from '../../../compute/tasks/index.js';
import { sourceNames } from '../../support/harness/source-folder.js';

describe('the registry of tasks', () => {
  it('lists the files of its folder, in the order of the alphabet', () => {
    assert.deepEqual(
      tasks.map(({ name }) => name),
      sourceNames('compute/tasks'),
    );
  });
});
