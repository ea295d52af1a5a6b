import assert from 'node:assert/strict';
import { fitSize } from '../../../../gateway/mcp/answers/fit-size.js';
import type { Table } from '../../../../gateway/mcp/answers/structured-form.js';

const bytesOf = (content: object) => Buffer.byteLength(JSON.stringify(content));
const rows = (count: number, first: (n: number) => unknown): Table => ({
  columns: ['time', 'note'],
  rows: Array.from({ length: count }, (_, n) => [first(n), 'x'.repeat(40)]),
});

describe('fitSize', () => {
  it('leaves what fits as it is', () => {
    const content = { trades: rows(100, (n) => n) };
    assert.equal(fitSize(content, bytesOf), content);
  });

  it('cuts the longest table to the limit, and says so', () => {
    const content = { short: rows(10, (n) => n), nested: { long: rows(2_000, (n) => 2_000 - n) } };
    const fitted = fitSize(content, bytesOf) as typeof content & { truncated: boolean };
    assert.equal(fitted.truncated, true);
    assert.deepEqual(fitted.short, content.short);
    const kept = fitted.nested.long.rows;
    assert.deepEqual(kept, content.nested.long.rows.slice(0, kept.length));
    const bytes = bytesOf(fitted);
    assert.ok(bytes <= 24 * 1024 && bytes > 20 * 1024, `${bytes} bytes`);
  });

  it('keeps the newest rows of a table in the order of time', () => {
    const { candles } = fitSize({ candles: rows(2_000, (n) => n) }, bytesOf) as { candles: Table };
    assert.equal(candles.rows.at(-1)![0], 1_999);
  });

  it('leaves the same rows of tables over the same times', () => {
    const content = { candles: rows(400, (n) => n), line: rows(400, (n) => n), swings: rows(5, (n) => n) };
    const { candles, line, swings } = fitSize(content, bytesOf) as typeof content;
    const timesOf = (table: Table) => table.rows.map(([time]) => time);
    assert.deepEqual(timesOf(candles), timesOf(line));
    assert.ok(candles.rows.length > 150, `${candles.rows.length}`);
    assert.equal(swings.rows.length, 5);
  });

  it('cuts a list of objects, wherever it is', () => {
    const content = { groups: Array.from({ length: 40 }, (_, n) => ({ n, rows: rows(30, (i) => -i) })) };
    const { groups } = fitSize(content, bytesOf) as typeof content;
    assert.deepEqual(groups, content.groups.slice(0, groups.length));
    assert.ok(groups.length < 20 && groups.length > 10, `${groups.length}`);
  });

  it('cuts a table inside of a row that is the only one', () => {
    const positions: Table = {
      columns: ['asset', 'note', 'fills'],
      rows: [['BTC', 'x', rows(1_000, (n) => -n)]],
    };
    const fitted = fitSize({ positions }, bytesOf) as { positions: Table; truncated: boolean };
    const [asset, note, fills] = fitted.positions.rows[0] as [string, string, Table];
    assert.deepEqual([asset, note, fitted.truncated], ['BTC', 'x', true]);
    assert.deepEqual(fills.rows[0], [-0, 'x'.repeat(40)]);
    const bytes = bytesOf(fitted);
    assert.ok(bytes <= 24 * 1024 && bytes > 20 * 1024, `${bytes} bytes`);
  });

  it('gives up where no table can lose a row', () => {
    const content = { note: 'x'.repeat(30_000) };
    assert.equal(fitSize(content, bytesOf), content);
  });
});
