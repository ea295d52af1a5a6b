import assert from 'node:assert/strict';
import { BSON } from 'mongodb';
import { packColumns, unpackColumns } from '../../../storage/candles/core-lines.js';

describe('packColumns', () => {
  it('is undone by unpackColumns to the last bit', () => {
    const columns = { line: Float64Array.of(1.1, NaN, -0), state: Float64Array.of(Infinity, 5e-324, 2) };
    assert.deepEqual(unpackColumns(packColumns(columns)), columns);
  });

  it('survives the way through BSON', () => {
    const columns = { a: Float64Array.of(1, 2), 'b "\n"': Float64Array.of(3, 4) };
    const { packed } = BSON.deserialize(BSON.serialize({ packed: packColumns(columns) }));
    assert.deepEqual(unpackColumns(packed as ReturnType<typeof packColumns>), columns);
  });

  it('takes views into longer and into shared columns', () => {
    const shared = new Float64Array(new SharedArrayBuffer(32));
    shared.set([1, 2, 3, 4]);
    const columns = { a: shared.subarray(1, 3), b: Float64Array.of(5, 6, 7).subarray(1) };
    assert.deepEqual(unpackColumns(packColumns(columns)), {
      a: Float64Array.of(2, 3),
      b: Float64Array.of(6, 7),
    });
  });

  it('keeps the names of empty columns', () => {
    const empty = { a: new Float64Array(0), b: new Float64Array(0) };
    assert.deepEqual(unpackColumns(packColumns(empty)), empty);
  });
});
