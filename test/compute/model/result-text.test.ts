import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonOfResult, isRoundedText, parseHead } from '../../../compute/model/result-text.js';
import { roundFigures } from '../../../compute/model/round-figures.js';

describe('jsonOfResult', () => {
  const name = fc.string().filter((each) => each !== '__proto__' && !/^\d+$/.test(each));
  const rows = fc.array(fc.record({ price: fc.double({ noNaN: true }), note: fc.string() }), {
    minLength: 1,
  });
  const part = fc.jsonValue().filter((value) => !(Array.isArray(value) && typeof value[0] === 'object'));

  it('is the JSON of the rounded result, whatever its texts hold, and its head all but the lists of objects', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          name.filter((each) => each !== 'trades'),
          part,
        ),
        rows,
        (parts, trades) => {
          const result = { trades, 'a ,\n text': ',\n', ...parts };
          const text = jsonOfResult(result);
          const { trades: _, ...head } = JSON.parse(JSON.stringify(roundFigures(result))) as typeof result;
          assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(roundFigures(result))));
          assert.equal(isRoundedText(text), true);
          assert.deepEqual(parseHead(text), head);
        },
      ),
    );
  });

  it('of another engine, or without lists, is read as a whole', () => {
    const text = JSON.stringify({ id: 'a', trades: [{ price: 1 }] });
    assert.equal(isRoundedText(text), false);
    assert.deepEqual(parseHead(text), JSON.parse(text));
    assert.equal(jsonOfResult({ id: 'a' }), '{"id":"a"}');
    assert.equal(jsonOfResult({ rows: [{ a: 1 }] }), '{"rows":[{"a":1}]}');
  });
});
