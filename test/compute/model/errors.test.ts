import assert from 'node:assert/strict';
import { AppError, errorFromData, errorToData } from '../../../compute/model/errors.js';

describe('AppError', () => {
  it('has a code, the kind of it, words, details and a cause', () => {
    const cause = new Error('inner');
    const error = new AppError('queue_full', 'too much to do', { details: { depth: 9 }, cause });
    assert.ok(error instanceof Error);
    assert.deepEqual([error.name, error.code, error.kind], ['AppError', 'queue_full', 'busy']);
    assert.deepEqual([error.message, error.details, error.cause], ['too much to do', { depth: 9 }, cause]);
  });

  it('has no details and no cause unless given', () => {
    const error = new AppError('unexpected', 'words');
    assert.deepEqual(error.details, {});
    assert.ok(!Object.hasOwn(error, 'cause'));
  });
});

describe('errorToData and errorFromData', () => {
  it('take an AppError across a wire and give it back', () => {
    const error = new AppError('not_enough_history', 'needs 61', {
      details: { needed: 61, exact: true, pair: null },
    });
    const back = errorFromData(JSON.parse(JSON.stringify(errorToData(error))));
    assert.ok(back instanceof AppError);
    assert.deepEqual([back.code, back.kind, back.message], ['not_enough_history', 'invalid', 'needs 61']);
    assert.deepEqual(back.details, error.details);
  });

  it('keep the words of any other error to themselves', () => {
    for (const error of [new TypeError('password=1'), 'password=1', null, undefined, { code: 'queue_full' }])
      assert.deepEqual(errorToData(error), { code: 'unexpected', message: 'unexpected error' });
  });

  it('make unexpected of data of any other shape', () => {
    const shapes = [
      null,
      undefined,
      1,
      'x',
      [],
      {},
      { code: 1 },
      { code: 'nonsense', message: 'x' },
      { code: 'queue_full' },
    ];
    for (const data of [...shapes, { code: 'toString', message: 'x' }, { code: '__proto__', message: 'x' }]) {
      const error = errorFromData(data);
      assert.deepEqual([error.code, error.message, error.details], ['unexpected', 'unexpected error', {}]);
    }
  });
});
