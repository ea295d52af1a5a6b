import assert from 'node:assert/strict';
import { Room } from '../../../compute/model/room.js';

describe('Room', () => {
  it('hands out columns of the wanted length that do not overlap', () => {
    const room = new Room();
    const lengths = [10, 0, 3, 10];
    const columns = lengths.map((length) => room.column(length));
    columns.forEach((column, n) => column.fill(n));
    columns.forEach((column, n) => assert.deepEqual(column, new Float64Array(lengths[n]).fill(n)));
  });

  it('hands out the same memory again after clear, and more where it is too short', () => {
    const room = new Room();
    const first = room.column(10);
    assert.notEqual(room.column(10).buffer, first.buffer);
    room.clear();
    assert.equal(room.column(4).buffer, first.buffer);
    room.clear();
    assert.equal(room.column(11).length, 11);
  });

  it('takes back the columns of work that has ended, also by a throw, and no others', () => {
    const room = new Room();
    const kept = room.column(10);
    const used = room.within((inner) => inner.column(10).buffer);
    assert.notEqual(used, kept.buffer);
    assert.throws(() =>
      room.within(() => {
        room.column(10);
        throw new Error('work failed');
      }),
    );
    assert.equal(room.column(10).buffer, used);
  });
});
