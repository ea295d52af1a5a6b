import assert from 'node:assert/strict';
import type Joi from 'joi';
import { dayOfWeekAt, marketSessionAt } from '../../compute/model/calendar.js';
import { snakeCase } from '../../gateway/mcp/key-case.js';
import { tools } from '../../gateway/mcp/tools.js';
import type { JsonSchema } from '../../gateway/openapi/json-schema.js';
import { routeTable } from '../../gateway/routes/table.js';
import { schemaFields } from '../../gateway/understood-input.js';
import { openTestMarket } from '../support/candles/market.js';
import { randomCandles } from '../support/candles/random-candles.js';
import { openTestService, type TestService } from '../support/gateway/gateway.js';
import { connectMcp, type McpTestClient } from '../support/mcp/mcp-client.js';
import { sampleArguments } from '../support/mcp/sample-arguments.js';

const hourMs = 3_600_000;

/** Other ways to write what the sample arguments mean, by the argument; a function where it depends on the schema. */
const writings: Readonly<Record<string, (schema: JsonSchema) => readonly unknown[]>> = {
  asset: () => ['btc', '$BTC', 'BTCUSDT', 'btc-usdt', 'Bitcoin'],
  coin: () => ['btc/usdt'],
  second_asset: () => ['ethereum'],
  assets: () => ['btc, ETHUSDT', ['bitcoin', 'eth'], '["BTC","ETH"]'],
  weights: () => [
    { bitcoin: 0.6, ETHUSDT: 0.4 },
    { BTC: '0.6', ETH: ' 0.4 ' },
  ],
  exchange: () => ['binance'],
  interval: () => ['1D', 'daily', '24h'],
  indicators: () => [['RSI']],
  side: () => ['LONG', 'Long'],
  entry: () => [100, ' 100 '],
  limit: ({ default: value }) => [String(value)],
  period: ({ default: value }) => [String(value).toLowerCase()],
};

/** What optional arguments without a default are given as, in its plain form. */
const unasked: Readonly<Record<string, unknown>> = {
  ...{ asset: 'BTC', coin: 'BTC', second_asset: 'ETH', assets: ['BTC', 'ETH'], interval: '1d' },
  ...{ weights: { BTC: 0.6, ETH: 0.4 }, side: 'long', entry: '100', exchange: 'BINANCE' },
};

/** Ten ways to write one moment. */
const moments = [
  ...['2025-01-31T00:00:00.000Z', '2025-01-31', '2025/01/31', '2025-01-31 00:00', '2025-01-31T00:00'],
  ...['2025-01-31T00:00:00Z', '2025-01-31T02:00+02:00', 1_738_281_600, '1738281600', 1_738_281_600_000],
];

function readsTime(schema: Joi.Schema): boolean {
  try {
    return schema.validate('2025-01-31').value === Date.UTC(2025, 0, 31);
  } catch {
    // It depends on a field beside it.
    return false;
  }
}

/** Fields of an input that read a moment. */
const timesOf = ({ input }: { input: Joi.ObjectSchema<unknown> }): string[] =>
  schemaFields(input)
    .filter(({ schema }) => readsTime(schema))
    .map(({ key }) => key);

/** An answer as text, without ids of what the call stored and the times of this hour. */
const timeless = (structured: unknown): string =>
  JSON.stringify(structured, (key, value: unknown) =>
    // How many rows fit depends on the length of times and ids in the text.
    key === 'rows' && (structured as { truncated?: true }).truncated ? (value as unknown[]).at(-1) : value,
  )
    .replaceAll(/"[\w-]*id":"[^"]*"/g, '')
    .replaceAll(/"remaining":\d+,"reset_seconds":\d+/g, '')
    .replaceAll(new Date().toISOString().slice(0, 10), '')
    .replaceAll(/T\d\d:\d\d:\d\d\.\d{3}Z/g, '');

describe('what people write', () => {
  let service: TestService;
  let user: McpTestClient;
  let token: string;

  before(async () => {
    ({ service, token } = await openTestMarket());
    user = await connectMcp(service.url, { 'session-token': token });
  });
  after(async () => {
    await user.close();
    await service.close();
  });

  it('is understood by every tool as its plain form', async function () {
    this.timeout(120_000);
    for (const { listing } of tools) {
      const sample: Record<string, unknown> = sampleArguments(listing);
      const plain = { ...sample, ...(sample.indicators ? { indicators: [{ name: 'rsi' }] } : {}) };
      const answered = async (args: Record<string, unknown>) =>
        timeless((await user.call(listing.name, args)).structured);
      const expected = await answered(plain);
      for (const [name, schema] of Object.entries(listing.inputSchema.properties)) {
        if (listing.name === 'list_trades' || listing.name.startsWith('ask_')) continue;
        const values = writings[name]?.(schema) ?? [];
        // A limit that is given is kept in the text as well, so that fewer rows fit.
        const same =
          name in plain || values.length === 0
            ? expected
            : await answered({ ...plain, [name]: schema.default ?? unasked[name] });
        for (const value of values)
          assert.equal(
            await answered({ ...plain, [name]: value }),
            same,
            `${listing.name} ${name} ${String(value)}`,
          );
      }
    }
  });

  it('is a moment in ten forms in every tool that takes one, and never a day that its month lacks', async () => {
    const timed = tools.flatMap(({ listing, operation }) =>
      timesOf(operation)
        .map((name) => ({ listing, name: snakeCase(name) }))
        // An argument that the tool does not take.
        .filter(({ name }) => Object.hasOwn(listing.inputSchema.properties, name)),
    );
    assert.deepEqual(timed.map(({ listing, name }) => `${listing.name} ${name}`).toSorted(), [
      ...['get_candles end_time', 'list_trades since'],
      ...['research_backtest', 'research_sweep', 'research_walk_forward'].flatMap((name) => [
        `${name} from`,
        `${name} to`,
      ]),
    ]);
    for (const { listing, name } of timed) {
      const ask = (value: unknown) => user.call(listing.name, { ...sampleArguments(listing), [name]: value });
      const { structured: expected } = await ask(moments[0]);
      assert.notEqual(expected.error?.field, name, listing.name);
      for (const value of moments)
        assert.equal(timeless((await ask(value)).structured), timeless(expected), String(value));
      for (const value of ['2026-02-31', '2025-02-29T00:00:00Z', 'yesterday', '20250131']) {
        const { structured } = await ask(value);
        assert.equal(structured.error?.field, name, String(value));
        assert.match(structured.error.message, /must be a time such as 2026-01-31, .* found/);
      }
    }
  });

  it('is a moment in ten forms in every field of every route that takes one', () => {
    const fields = routeTable.flatMap((route) =>
      'operation' in route
        ? schemaFields(route.operation.input).filter(({ key }) =>
            timesOf(route.operation as never).includes(key),
          )
        : [],
    );
    assert.ok(fields.length >= 8, `${fields.length} fields`);
    for (const { key, schema } of fields) {
      for (const value of moments)
        assert.equal(schema.validate(value).value, Date.parse(String(moments[0])), `${key} ${value}`);
      for (const value of ['2026-02-31', 'yesterday', '2026-01-31T10:00+99:99', '2026-01-31T10:00+14:30'])
        assert.ok(schema.validate(value).error, `${key} ${value}`);
    }
  });

  it('is understood over REST and by the signed API, and shown as understood', async () => {
    const chart = await service.post('/backend/core-line/chart', {
      asset: 'btc-usdt',
      interval: '4H',
      limit: '5',
    });
    const { asset, interval, tradeMarket } = chart.payload;
    assert.deepEqual({ asset, interval, tradeMarket }, { asset: 'BTC', interval: '4h', tradeMarket: 'USDT' });
    const cross = await service.post('/backend/core-line/chart', { asset: 'ETHBTC' });
    assert.deepEqual([cross.payload.asset, cross.payload.tradeMarket], ['ETH', 'BTC']);
    const { structured } = await user.call('get_trend_chart', { asset: 'ETHBTC', limit: 2 });
    assert.deepEqual([structured.asset, structured.trade_market], ['ETH', 'BTC']);
    const portfolio = await service.post(
      '/backend/core-line/portfolio',
      { exchange: 'paper', interval: '4H' },
      { 'session-token': token },
    );
    assert.deepEqual([portfolio.status, portfolio.payload.interval], [200, '4h']);
  });

  it('is read by tools without the arguments that are null', async () => {
    const { isError } = await user.call('get_trend_chart', { asset: 'BTC', limit: null, trade_market: null });
    assert.equal(isError, false);
    const missing = await user.call('get_trend_chart', { asset: null });
    assert.equal(missing.structured.error?.field, 'asset');
    const weighed = await user.call('get_tail_risk', { weights: { BTC: 'much' } });
    assert.equal(weighed.structured.error?.field, 'weights.BTC');
  });

  it('is an error where it contradicts itself or is served nowhere', async () => {
    const chart = async (body: object) =>
      (await service.post('/backend/core-line/chart', body)).payload.message as string;
    assert.match(
      await chart({ asset: 'ETH/BTC', tradeMarket: 'USDT' }),
      /pairs against one currency, found USDT and BTC/,
    );
    assert.match(await chart({ asset: 'BTC/EUR' }), /"BTC" is traded against "USDT", found "EUR"/);
    assert.match(
      await chart({ asset: 'BTC', interval: '15m' }),
      /must be one of \[1h, 4h, 1d\], found "15m"$/,
    );
    assert.match(await chart({ asset: 'WBTC' }), /^asset "WBTC" is not known here$/);
  });
});

describe('a value that is refused', () => {
  it('offers only what is taken', async () => {
    const { service } = await openTestMarket();
    try {
      const chart = (asset: string) => service.post('/backend/core-line/chart', { asset });
      const offered: string[] = [];
      for (const asset of ['BITCON', 'ETHEREUN', 'DOGEE', 'WBTC', 'BTCC', 'LINKK', 'SOLANNA', 'XRPP']) {
        const { message } = (await chart(asset)).payload as { message: string };
        offered.push(...[...(/did you mean "([^"]+)"/.exec(message)?.slice(1) ?? [])]);
      }
      assert.ok(offered.length > 0);
      for (const each of offered) assert.equal((await chart(each)).status, 200, each);
    } finally {
      await service.close();
    }
  });
});

describe('answers of tools over MCP and REST', () => {
  let service: TestService;
  let user: McpTestClient;
  let token: string;

  before(async () => {
    ({ service, token } = await openTestMarket());
    user = await connectMcp(service.url, { 'session-token': token });
  });
  after(async () => {
    await user.close();
    await service.close();
  });

  it('give equal backtests one id, and a fee that was not given is not called given', async () => {
    const own = { 'session-token': token };
    const rest = await service.post('/backend/core-line/backtest', { asset: 'BTC' }, own);
    const { structured } = await user.call('run_backtest', { asset: 'BTC' });
    assert.equal(structured.id, rest.payload.id);
    const given = await user.call('run_backtest', { asset: 'BTC', fee_percent: 0.1 });
    assert.notEqual(given.structured.id, rest.payload.id);
  });

  it('tell the session and day of now, not those of the last close', async () => {
    const sessionOf = (timeMs: number) => `${marketSessionAt(timeMs)} ${dayOfWeekAt(timeMs)}`;
    const live = await openTestService({ env: { MARKET: 'demo' } });
    // No session lasts for twelve hours, so that of the last close is another.
    const closedMs = Math.floor(Date.now() / hourMs) * hourMs - 12 * hourMs;
    const hours = 24 * 100;
    const candles = randomCandles(hours, { startMs: closedMs - hours * hourMs });
    for (const base of ['BTC', 'ETH'])
      await live.storage.candles.add({ market: 'demo', base, quote: 'USDT' }, candles);
    const before = sessionOf(Date.now());
    const { payload } = await live.post('/backend/analysis/market-overview', { interval: '1h' });
    await live.close();
    assert.equal(payload.asOf, new Date(closedMs).toISOString());
    assert.ok([before, sessionOf(Date.now())].includes(`${payload.marketSession} ${payload.dayOfWeek}`));
    assert.notEqual(payload.marketSession, marketSessionAt(closedMs));
  });

  it('tell the session and day of the last close in an imported market, where time stands still', async () => {
    const { payload } = await service.post('/backend/analysis/market-overview', { interval: '1d' });
    const closedMs = Date.parse(payload.asOf as string);
    assert.deepEqual(
      [payload.marketSession, payload.dayOfWeek],
      [marketSessionAt(closedMs), dayOfWeekAt(closedMs)],
    );
  });

  it('reach every candle that was asked for: in one answer, or by the way on that it names', async () => {
    const times = new Set<string>();
    let args: Record<string, unknown> = { asset: 'BTC', interval: '1h', limit: 500 };
    while (times.size < 500) {
      const { structured, text } = await user.call('get_candles', args);
      for (const [time] of structured.candles.rows as string[][]) times.add(time);
      if (times.size >= 500) break;
      assert.equal(structured.truncated, true);
      assert.ok(text.includes(`pass end_time ${structured.earlier_end_time}`), text.slice(0, 200));
      args = { ...args, end_time: structured.earlier_end_time, limit: 500 - times.size };
    }
    assert.equal(times.size, 500);
  });

  it('count the characters of a message as its limit does', async () => {
    const ask = async (message: string) =>
      (await service.post('/backend/assistant/guest-chat', { message })).payload.message as
        | string
        | undefined;
    assert.match((await ask('🚀'.repeat(2_001)))!, /2000 characters/);
    assert.equal(await ask('🚀'.repeat(2_000)), undefined);
  });
});
