import assert from 'node:assert/strict';
import { formFields } from '../../../gateway/routes/form-body.js';

describe('fields of a form', () => {
  it('are decoded', () => {
    assert.deepEqual(formFields('a=1+2&b=%C3%A9&c&&d=x%3Dy=z'), { a: '1 2', b: 'é', c: '', d: 'x=y=z' });
    assert.deepEqual(formFields(''), {});
  });

  it('come once', () => {
    assert.throws(() => formFields('a=1&b=2&%61=3'), {
      code: 'invalid_input',
      message: '"a" is given twice',
      details: { field: 'a' },
    });
  });

  it('are UTF-8', () => {
    for (const text of ['a=%', 'a=%zz', 'a=%ff', '%c3=1'])
      assert.throws(() => formFields(text), { code: 'invalid_body' });
  });

  it('may have the names of properties of objects', () => {
    const fields = formFields('__proto__=1&toString=2');
    assert.deepEqual(Object.entries(fields), [
      ['__proto__', '1'],
      ['toString', '2'],
    ]);
  });
});
