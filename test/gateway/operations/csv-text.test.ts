import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { csvText } from '../../../gateway/operations/csv-table.js';

describe('csvText', () => {
  it('writes CRLF after every line, quotes where needed, and nothing for null', () => {
    const rows = [
      ['a,b', 1, null],
      ['say "x"', -1e-9, ''],
      ['two\nlines', 0.1, '\r'],
    ];
    const text = csvText({ columns: ['name', 'value', 'note'], rows });
    assert.equal(text, 'name,value,note\r\n"a,b",1,\r\n"say ""x""",-1e-9,\r\n"two\nlines",0.1,"\r"\r\n');
    const read = parse(text, { record_delimiter: '\r\n' });
    assert.deepEqual(
      read.slice(1),
      rows.map((cells) => cells.map((cell) => String(cell ?? ''))),
    );
  });
});
