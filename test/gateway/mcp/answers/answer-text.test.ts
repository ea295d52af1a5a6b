import assert from 'node:assert/strict';
import { answerText } from '../../../../gateway/mcp/answers/answer-text.js';

const lines = (content: Record<string, unknown>, headline = 'Headline.') =>
  answerText(headline, content, 20).split('\n').slice(1);

describe('the text of an answer', () => {
  it('writes values for reading: rounded numbers, short times, names and values of objects', () => {
    const content = {
      as_of: '2026-11-22T08:00:00.000Z',
      sent_at: '2026-11-22T08:00:05.123Z',
      time: 1_763_769_600,
      price: 30_120.3512,
      change_percent: '-2.16935166145',
      entry: '29427.54000001',
      params: { fast: 20, slow: 50 },
      none: {},
      warnings: ['there is no stop', 'the market is past the target'],
      assets: ['BTC', 'ETH'],
      margin: '1924.92781512345',
      fee_reason: 'neither feePercent nor exchange is given',
    };
    assert.deepEqual(lines({ rows: { columns: Object.keys(content), rows: [Object.values(content)] } }), [
      'rows:',
      Object.keys(content).join(' | '),
      '2026-11-22 08:00Z | 2026-11-22 08:00:05Z | 2025-11-22 | 30120.4 | -2.169 | 29427.54000001 | fast 20, slow 50 | - | there is no stop; the market is past the target | BTC ETH | 1924.93 | neither fee_percent nor exchange is given',
    ]);
  });

  it('cuts a long text between two characters, never inside of a surrogate pair', () => {
    const note = `${'x'.repeat(119)}🚀 and more`;
    const reply = `${'x'.repeat(399)}🚀 and more`;
    const inside = {
      columns: ['n', 'note'],
      rows: [
        [1, 'y'.repeat(110)],
        [2, `${'y'.repeat(119)}🚀 and more`],
      ],
    };
    const others = Array.from({ length: 4 }, (_, n) => [String(n), '', null]);
    const table = { columns: ['id', 'note', 'inside'], rows: [['a', note, inside], ...others] };
    const text = answerText(
      'Headline.',
      { reply, table: { ...table, rows: [...table.rows, ['b', '', null]] } },
      20,
    );
    assert.match(text, /^\(… is cut: pass limit 5 to read texts whole\)$/m);
    assert.equal(text.split('🚀').length, 2);
    assert.equal(text.split('…').length, 4);
    assert.doesNotMatch(text, /\p{Surrogate}/u);
    // With few rows the cells are whole.
    const few = answerText('Headline.', { table }, 20);
    assert.ok(few.includes(note) && !few.includes('…'), few);
  });

  it('writes lists over the same times as one line for each time', () => {
    const outputs = (names: readonly string[], values: readonly number[]) => ({
      columns: ['name', 'warmup', 'values'],
      rows: names.map((name) => [name, 14, values]),
    });
    const indicators = {
      columns: ['name', 'outputs'],
      rows: [
        ['rsi', outputs(['rsi'], [40, 41.5])],
        ['macd', outputs(['macd', 'signal'], [-3, 2])],
      ],
    };
    const times = ['2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'];
    assert.deepEqual(lines({ times, closes: [10, 11], indicators }), [
      ...['indicators:', 'name', 'rsi', 'macd'],
      ...[
        'indicators.outputs:',
        'name | name | warmup',
        'rsi | rsi | 14',
        'macd | macd | 14',
        'macd | signal | 14',
      ],
      ...['series:', 'time | closes | rsi | macd | macd signal'],
      ...['2026-11-21 | 10 | 40 | -3 | -3', '2026-11-22 | 11 | 41.5 | 2 | 2'],
    ]);
  });

  it('does not repeat what the headline says', () => {
    const response = 'BTC is in wait on 1d. Its last close is 30,120 USDT.';
    assert.deepEqual(lines({ response, turns: 1 }, response), ['turns: 1']);
  });

  it('shows the newest rows of a table in the order of time, and the first ones of others', () => {
    const rows = Array.from({ length: 25 }, (_, n) => [n + 1, 25 - n]);
    const [, , first, ...rest] = lines({ line: { columns: ['time', 'value'], rows } });
    assert.deepEqual(
      [first, rest.length, rest.at(-1)],
      ['1970-01-01 00:00:06Z | 20', 20, '(5 older rows: pass limit 25 to read them)'],
    );
    const [, , best, ...others] = lines({ ranked: { columns: ['rank', 'score'], rows } });
    assert.deepEqual([best, others.at(-1)], ['1 | 25', '(5 more rows: pass limit 25 to read them)']);
  });

  it('writes the tables of a column below, each row behind the first cell of its outer row', () => {
    const entries = {
      columns: ['price', 'percent', 'reason'],
      rows: [
        ['100', 60, null],
        ['90', 40.123456789, null],
      ],
    };
    const signals = {
      columns: ['id', 'entries', 'side'],
      rows: [
        ['a', entries, 'long'],
        ['b', null, 'short'],
      ],
    };
    assert.deepEqual(lines({ signals, why_reason: null }), [
      ...['signals:', 'id | side', 'a | long', 'b | short'],
      ...['signals.entries:', 'id | price | percent', 'a | 100 | 60', 'a | 90 | 40.12'],
    ]);
  });
});
