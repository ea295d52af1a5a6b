import assert from 'node:assert/strict';
import { answerText } from '../../../../gateway/mcp/answers/answer-text.js';

const lines = (content: Record<string, unknown>, headline = 'Headline.') =>
  answerText(headline, content).split('\n').slice(1);

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
      fee_reason: 'neither feePercent nor exchange is given',
    };
    assert.deepEqual(lines({ rows: { columns: Object.keys(content), rows: [Object.values(content)] } }), [
      'rows:',
      Object.keys(content).join(' | '),
      '2026-11-22 08:00Z | 2026-11-22 08:00:05Z | 2025-11-22 | 30120.4 | -2.16935 | 29427.54000001 | fast 20, slow 50 | - | there is no stop; the market is past the target | BTC ETH | neither fee_percent nor exchange is given',
    ]);
  });

  it('cuts a long text between two characters, never inside of a surrogate pair', () => {
    const note = `${'x'.repeat(119)}🚀 and more`;
    const reply = `${'x'.repeat(399)}🚀 and more`;
    const inside = {
      columns: ['n', 'note'],
      rows: [
        [1, 'y'.repeat(110)],
        [2, 'y'.repeat(110)],
        [3, `${'y'.repeat(67)}🚀 and more`],
      ],
    };
    const others = Array.from({ length: 10 }, (_, n) => [`${n}`, null]);
    const table = { columns: ['note', 'inside'], rows: [[note, inside], ...others] };
    const text = answerText('Headline.', { reply, table });
    assert.equal(text.includes('🚀'), false);
    assert.equal(text.split('…').length, 4);
    assert.doesNotMatch(text, /\p{Surrogate}/u);
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
      ['1970-01-01 00:00:06Z | 20', 20, '(5 older rows in the structured content)'],
    );
    const [, , best, ...others] = lines({ ranked: { columns: ['rank', 'score'], rows } });
    assert.deepEqual([best, others.at(-1)], ['1 | 25', '(5 more rows in the structured content)']);
  });

  it('writes small tables of a table into its cells, and large ones below', () => {
    const small = {
      columns: ['price', 'percent'],
      rows: [
        ['100', 60],
        ['90', 40.123456789],
      ],
    };
    assert.deepEqual(
      lines({
        signals: {
          columns: ['id', 'entries'],
          rows: [
            ['a', small],
            ['b', null],
          ],
        },
      }),
      ['signals:', 'id | entries (price, percent)', 'a | 100, 60; 90, 40.1235', 'b | -'],
    );
    const large = {
      columns: ['window', 'note'],
      rows: [
        ['7d', 'x'.repeat(200)],
        ['30d', 'y'.repeat(110)],
        ['90d', 'z'.repeat(110)],
      ],
    };
    assert.deepEqual(lines({ rows: { columns: ['asset', 'windows'], rows: [['BTC', large]] } }), [
      ...['rows:', 'asset', 'BTC', 'rows.windows of asset BTC:', 'window | note'],
      `7d | ${'x'.repeat(120)}…`,
      `30d | ${'y'.repeat(110)}`,
      `90d | ${'z'.repeat(110)}`,
    ]);
  });
});
