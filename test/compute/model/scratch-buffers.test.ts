import assert from 'node:assert/strict';
import { ScratchBuffers } from '../../../compute/model/scratch-buffers.js';

describe('ScratchBuffers', () => {
  it('hands out columns of the wanted length that do not overlap', () => {
    const scratch = new ScratchBuffers();
    const lengths = [10, 0, 3, 10];
    const columns = lengths.map((length) => scratch.column(length));
    columns.forEach((column, n) => column.fill(n));
    columns.forEach((column, n) => assert.deepEqual(column, new Float64Array(lengths[n]).fill(n)));
  });

  it('hands out the same memory again after clear, and more where it is too short', () => {
    const scratch = new ScratchBuffers();
    const first = scratch.column(10);
    assert.notEqual(scratch.column(10).buffer, first.buffer);
    scratch.clear();
    assert.equal(scratch.column(4).buffer, first.buffer);
    scratch.clear();
    assert.equal(scratch.column(11).length, 11);
  });

  it('takes back the columns of work that has ended, also by a throw, and no others', () => {
    const scratch = new ScratchBuffers();
    const kept = scratch.column(10);
    const used = scratch.within((inner) => inner.column(10).buffer);
    assert.notEqual(used, kept.buffer);
    assert.throws(() =>
      scratch.within(() => {
        scratch.column(10);
        throw new Error('work failed');
      }),
    );
    assert.equal(scratch.column(10).buffer, used);
  });
});
