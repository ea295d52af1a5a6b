import assert from 'node:assert/strict';
import { structuredForm } from '../../../../gateway/mcp/answers/structured-form.js';
import type { JsonSchema } from '../../../../gateway/openapi/json-schema.js';

const text = { type: 'string' };
const number = { type: 'number' };
const object = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

describe('structuredForm', () => {
  it('names fields in snake_case at every depth', () => {
    const { schema, convert } = structuredForm(
      object({ tradeMarket: text, rsiCross: object({ rsiMovingAvg: number }) }),
    );
    assert.deepEqual(convert({ tradeMarket: 'USDT', rsiCross: { rsiMovingAvg: 5 } }), {
      trade_market: 'USDT',
      rsi_cross: { rsi_moving_avg: 5 },
    });
    assert.deepEqual(schema.required, ['trade_market', 'rsi_cross']);
  });

  it('leaves keys that are data as they are', () => {
    const { convert } = structuredForm(object({ byAsset: { type: 'object', additionalProperties: number } }));
    assert.deepEqual(convert({ byAsset: { stETH: 1 } }), { by_asset: { stETH: 1 } });
  });

  it('makes a list of objects a table, with nested objects as columns', () => {
    const outcome = object({ percent: number }, { type: ['object', 'null'] });
    const rows = {
      type: 'array',
      items: object({ asset: text, outcome, heldBy: { type: 'array', items: number } }),
    };
    const { schema, convert } = structuredForm(object({ rows }));
    const payload = {
      rows: [
        { asset: 'BTC', outcome: { percent: 5 }, heldBy: [1, 2] },
        { asset: 'ETH', outcome: null, heldBy: [] },
      ],
    };
    assert.deepEqual(convert(payload), {
      rows: {
        columns: ['asset', 'outcome.percent', 'held_by'],
        rows: [
          ['BTC', 5, [1, 2]],
          ['ETH', null, []],
        ],
      },
    });
    const table = schema.properties!.rows.properties!;
    assert.deepEqual((table.rows.items as JsonSchema).prefixItems, [
      text,
      { type: ['number', 'null'] },
      { type: 'array', items: number },
    ]);
  });

  it('keeps a list of single values, and of objects with one field', () => {
    const payload = { names: ['a'], tags: [{ tagName: 'x' }] };
    const { convert } = structuredForm(
      object({
        names: { type: 'array', items: text },
        tags: { type: 'array', items: object({ tagName: text }) },
      }),
    );
    assert.deepEqual(convert(payload), { names: ['a'], tags: [{ tag_name: 'x' }] });
  });

  it('shows a field that rows lack as null, and leaves it out of objects', () => {
    const optional: JsonSchema = { type: 'object', properties: { a: number, b: number }, required: ['a'] };
    const { convert } = structuredForm(object({ one: optional, many: { type: 'array', items: optional } }));
    assert.deepEqual(convert({ one: { a: 1 }, many: [{ a: 1 }] }), {
      one: { a: 1 },
      many: { columns: ['a', 'b'], rows: [[1, null]] },
    });
  });
});
