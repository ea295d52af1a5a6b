import fc from 'fast-check';
import type { JsonSchema } from '../../../gateway/openapi/json-schema.js';
import type { ToolListing } from '../../../gateway/mcp/catalogue.js';

/** Values for arguments whose form the schema does not say: prices, conditions, names of things that exist. */
const known: Readonly<Record<string, unknown>> = {
  asset: 'BTC',
  coin: 'BTC',
  second_asset: 'ETH',
  trade_market: 'USDT',
  assets: ['BTC', 'ETH'],
  strategies: ['ema_cross', 'buy_and_hold'],
  weights: { BTC: 0.6, ETH: 0.4 },
  indicators: [{ name: 'rsi', params: { period: 7 } }],
  conditions: [{ left: 'close', op: '>', right: 'sma_50' }],
  levels: [{ buy_price: '90', multiplier: 1 }],
  exchange: 'BINANCE',
  entry: '100',
  stop: '10',
  target: '1000',
  first_price: '100',
  message: 'How is the market?',
  signal: {
    coin: 'BTC',
    trade_market: 'USDT',
    exchange: 'BINANCE',
    invest: 5,
    entry_price_max: '100',
    exit_price_1: '120',
  },
};

/** Arguments that a tool takes: the required ones, with values that make sense. */
export function sampleArguments({ inputSchema }: Pick<ToolListing, 'inputSchema'>): Record<string, unknown> {
  const { properties, required = [], $defs } = inputSchema;
  // Rules may be traded on one asset or on several: neither is required.
  const needed = $defs && properties.asset && !required.includes('asset') ? [...required, 'asset'] : required;
  return Object.fromEntries(needed.map((name) => [name, known[name] ?? plainValue(properties[name])]));
}

function plainValue({
  type,
  minimum,
  enum: values,
  examples,
}: JsonSchema & { examples?: unknown[] }): unknown {
  if (Array.isArray(values)) return values[0];
  if (examples && typeof examples[0] === 'object') return examples[0];
  if (type === 'string') return 'unknown';
  if (type === 'array') return [];
  if (type === 'object') return {};
  return typeof minimum === 'number' ? minimum : 1;
}

const assets = fc.constantFrom('BTC', 'ETH', 'SOL', 'ZZZZ');
const price = fc.oneof(
  fc.constantFrom('100', '0', '-1', '1e3', '0.00000001', '999999999999999999', 'x', ''),
  fc.double({ min: 0.01, max: 1000, noNaN: true }).map((value) => value.toFixed(4)),
);

const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  asset: assets,
  coin: assets,
  second_asset: assets,
  trade_market: fc.constantFrom('USDT', 'BTC', 'XYZ'),
  strategy: fc.constantFrom('trend_state', 'ema_cross', 'buy_and_hold', 'none'),
  indicators: fc.array(
    fc.record({
      name: fc.constantFrom('rsi', 'ema', 'macd', 'nope'),
      params: fc.dictionary(fc.constantFrom('period', 'x'), fc.integer({ min: -1, max: 30 }), { maxKeys: 2 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  entry: price,
  stop: price,
  target: price,
  first_price: price,
  buy_price: price,
  left: fc.constantFrom('close', 'rsi_14', 'sma_50', 'state', 'nope'),
  right: fc.constantFrom('30', 'sma_200', 'accumulate', '', 'nope'),
  end_time: fc.constantFrom('2025-01-01T00:00:00Z', 'yesterday', ''),
  exchange: fc.constantFrom('PAPER', 'BINANCE', 'NOWHERE'),
  account_size: fc.constantFrom(1_000, 250.5, 0, -1),
  risk_percent: fc.constantFrom(1, 0.25, 100, 0, 101),
  leverage: fc.constantFrom(1, 2, 20, 126, 0.5),
  first_amount: fc.constantFrom(50, 0.001, 0, -5),
  multiplier: fc.constantFrom(1, 2, 0.5, 0, 11),
  strategies: fc.array(fc.constantFrom('trend_state', 'ema_cross', 'buy_and_hold', 'none'), {
    minLength: 1,
    maxLength: 3,
  }),
  weights: fc.dictionary(assets, fc.double({ min: -1, max: 2, noNaN: true }), { maxKeys: 4 }),
};

/** Any arguments that the schema of a tool takes, with names of things that exist and of some that do not. */
export function anyArguments({
  inputSchema,
}: Pick<ToolListing, 'inputSchema'>): fc.Arbitrary<Record<string, unknown>> {
  return anyObject(inputSchema) as fc.Arbitrary<Record<string, unknown>>;
}

function anyObject({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, byName[name] ?? anyValue(schema)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

function anyValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: values, minimum, maximum, minItems, maxItems, maxLength, items, properties } = schema;
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer')
    return fc.integer({
      min: (minimum as number | undefined) ?? -5,
      max: (maximum as number | undefined) ?? 1_000,
    });
  if (type === 'number')
    return fc.double({
      min: (minimum as number | undefined) ?? -10,
      max: (maximum as number | undefined) ?? 1e9,
      noNaN: true,
    });
  if (type === 'array') {
    const item = (items ?? {}) as JsonSchema;
    const each = item.pattern ? assets : item.properties ? anyObject(item) : anyValue(item);
    return fc.array(each, {
      minLength: (minItems as number | undefined) ?? 0,
      maxLength: Math.min(10, (maxItems as number | undefined) ?? 5),
    });
  }
  if (type === 'object')
    return properties
      ? anyObject(schema)
      : fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4 });
  return fc.string({ maxLength: Math.min(50, (maxLength as number | undefined) ?? 30) });
}
