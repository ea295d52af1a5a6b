import assert from 'node:assert/strict';
import type { Candles } from '../../../compute/model/candles.js';
import type { Leaderboard } from '../../../storage/candles/leaderboards.js';
import { connectMcp, type McpTestClient } from '../../support/mcp/mcp-client.js';
import { openTestMarket } from '../../support/candles/market.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { bodyV2 } from '../../support/signals/partner-client.js';
import { assertClose } from '../../support/numbers/close-to.js';

/** A letter in capitals begins a word, a name in capitals throughout is one word. */
const snake = (name: string) =>
  /^[A-Z]+$/.test(name) ? name.toLowerCase() : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface TableLike {
  columns: string[];
  rows: unknown[][];
}

const isTable = (value: object): value is TableLike =>
  Array.isArray((value as Partial<TableLike>).columns) && Array.isArray((value as Partial<TableLike>).rows);

/** Every single value of an answer but null, by its place with names in snake_case; tables count as lists of objects. */
function leavesOf(value: unknown, place = ''): Map<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([[place, value]]);
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.map((each, n) => [`${place}[${n}]`, each])
    : isTable(value)
      ? value.rows.flatMap((row, n) =>
          value.columns.map((name, i): [string, unknown] => [`${place}[${n}].${name}`, row[i]]),
        )
      : Object.entries(value).map(([name, each]) => [`${place}.${snake(name)}`, each]);
  return new Map(parts.flatMap(([at, each]) => [...leavesOf(each, at)]));
}

type Fields = Record<string, unknown>;

const asset = { asset: 'BTC' };
const order = { account_size: 1000, risk_percent: 1, entry: '100', stop: '95' };
const ladder = { first_price: '100', first_amount: 50, levels: [{ buy_price: '90', multiplier: 2 }] };
const conditions = [{ left: 'close', op: '>', right: '0' }];

/** A tool, its arguments, the path of REST with the same answer, and the body where it is more than the arguments renamed. */
const cases: [tool: string, args: Fields, path: string, body?: Fields][] = [
  ['calculate_position_size', order, 'position-size'],
  ['estimate_dca_ladder', ladder, 'dca-ladder', { levels: [{ buyPrice: '90', multiplier: 2 }] }],
  ['estimate_target_probability', { ...asset, target: '1000000', stop: '0.001' }, 'target-probability'],
  ['find_similar_history', { ...asset, window: 20, matches: 3 }, 'similar-history'],
  ['get_breadth_history', { limit: 5 }, 'breadth'],
  ['get_candles', { ...asset, interval: '1h', limit: 7 }, 'candles'],
  ['get_candlestick_patterns', { ...asset, lookback: 30 }, 'candlestick-patterns'],
  ['get_channel_performance', { min_signals: 0, period: '3M' }, 'channel-performance'],
  ['get_correlation_matrix', { assets: ['BTC', 'ETH'], window: 30 }, 'correlation-matrix'],
  ['get_divergences', asset, 'divergences'],
  ['get_flip_price', asset, 'flip-price'],
  ['get_flip_statistics', { ...asset, interval: '4h' }, 'flip-statistics'],
  ['get_indicator_values', { ...asset, indicators: [{ name: 'rsi' }], last: 3 }, 'indicator-values'],
  ['get_market_overview', {}, 'market-overview'],
  ['get_momentum_reading', asset, 'momentum'],
  ['get_pair_relationship', { ...asset, second_asset: 'ETH', window: 60 }, 'pair-relationship'],
  ['get_performance', { assets: ['BTC'] }, 'performance'],
  ['get_price', { assets: ['BTC', 'NEW'] }, 'prices'],
  ['get_seasonality', { ...asset, by: 'session' }, 'seasonality'],
  ['get_strategy_leaderboard', { min_trades: 0 }, 'strategy-leaderboard'],
  ['get_support_resistance', { ...asset, max_levels: 3 }, 'support-resistance'],
  ['get_tail_risk', { weights: { BTC: 1 }, lookback_days: 100 }, 'tail-risk', { weights: { BTC: 1 } }],
  ['get_technical_summary', asset, 'technical-summary'],
  ['get_top_movers', { window: '7d' }, 'movers'],
  ['get_trend_reading', asset, 'trend'],
  ['get_trend_state', asset, 'trend-state'],
  ['get_volatility_reading', asset, 'volatility'],
  ['get_volume_reading', asset, 'volume'],
  ['list_assets', { query: 'eth' }, 'list-assets'],
  ['list_backtest_strategies', { id: 'ema_cross' }, 'list-strategies', { id: undefined, name: 'ema_cross' }],
  ['list_exchanges', {}, 'supported-exchanges'],
  ['list_indicators', { name: 'rsi' }, 'list-indicators'],
  ['plan_trade_levels', { ...asset, targets: 2 }, 'trade-levels'],
  ['scan_anomalies', { min_z: 1, within_candles: 3 }, 'anomalies'],
  ['scan_recent_flips', { within_candles: 100, interval: '1h' }, 'recent-flips'],
  ['scan_trend_states', { sort: 'change24h', interval: '1h' }, 'scan-states'],
  ['screen_assets', { conditions }, 'screen'],
  ['simulate_recurring_buy', { ...asset, amount: 50 }, 'recurring-buy'],
  ['validate_signal', { signal: bodyV2 }, 'validate-signal'],
];

const row = { asset: 'BTC', tradeMarket: 'USDT', strategy: 'ema_cross', totalReturn: 5, maxDrawdown: -3 };
const window = { from: '2024-01-01T00:00:00.000Z', to: '2025-01-01T00:00:00.000Z' };
const leaderboard: Leaderboard = {
  ...{ market: 'csv', interval: '1d', period: '1y', asOf: window.to, computedAt: new Date(), refused: 0 },
  luckiestSharpe: 2,
  costs: { feeRate: 0.001, slippageRate: 0.0005 },
  rows: [
    {
      ...row,
      ...window,
      sharpe: 1.5,
      tradeCount: 3,
      ...{ outOfSampleReturn: 1, excessReturn: -2, significant: false },
    },
  ],
};

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const renamed = (args: Fields): Fields =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [camel(name), value]));

/** What the connector adds to every answer, and what it names otherwise. */
const own = /^\.(as_of|stale|stale_assets|warmup_ok|source|truncated)$/;
const leavesBut = (value: unknown) => new Map([...leavesOf(value)].filter(([place]) => !own.test(place)));

describe('tools of the market', () => {
  let service: TestService;
  let btc: Candles;
  let guest: McpTestClient;
  before(async () => {
    ({ service, btc } = await openTestMarket());
    await service.storage.leaderboards.put(leaderboard, 1);
    guest = await connectMcp(service.url);
  });
  after(async () => {
    await guest.close();
    await service.close();
  });

  for (const [tool, args, path, body = {}] of cases)
    it(`${tool} answers a guest with the figures of REST`, async () => {
      const { structured, isError, text } = await guest.call(tool, args);
      assert.equal(isError, false, text);
      const rest = await service.post(`/backend/analysis/${path}`, { ...renamed(args), ...body });
      assert.equal(rest.status, 200, JSON.stringify(rest.payload));
      // The tool alone has the body of a signal.
      const figures = Object.fromEntries(
        Object.entries(structured as Fields).filter(([name]) => name !== 'signal'),
      );
      assert.deepEqual(leavesBut(figures), leavesBut(rest.payload));
      if (rest.payload.asOf !== undefined) assert.equal(structured.as_of, rest.payload.asOf);
      assert.match(text.split('\n')[0], /^\S.{20,}[.]$/);
      assert.doesNotMatch(text, /undefined|NaN|null/);
    });

  it('get_strategy_leaderboard names the filter that emptied it, and is current for a day', async () => {
    const { text, structured } = await guest.call('get_strategy_leaderboard');
    assert.match(
      text,
      /^No result on 1d over 1y has 20 closed trades or more; 1 has fewer: pass min_trades 0 to see them\./,
    );
    assert.deepEqual([structured.ranked, structured.too_few_trades, structured.min_trades], [0, 1, 20]);
    const hourly = { ...leaderboard, interval: '1h' as const, asOf: new Date(Date.now() - 7_200_000) };
    await service.storage.leaderboards.put({ ...hourly, asOf: hourly.asOf.toISOString() }, 1);
    const { structured: recent } = await guest.call('get_strategy_leaderboard', { interval: '1h' });
    assert.equal(recent.stale, false);
  });

  it('get_trend_chart and get_flip_price name the readings that differ, as get_technical_summary does', async () => {
    const found = new Set<boolean>();
    for (const name of ['BTC', 'ETH'])
      for (const interval of ['1h', '4h', '1d']) {
        const args = { asset: name, interval };
        const { structured } = await guest.call('get_technical_summary', args);
        const { differs, says } = structured.picture as { differs: boolean; says: string };
        found.add(differs);
        for (const tool of ['get_trend_chart', 'get_flip_price']) {
          const [headline] = (await guest.call(tool, args)).text.split('\n');
          assert.equal(headline.includes(`Readings differ: ${says}.`), differs, headline);
        }
      }
    assert.ok(found.has(true));
  });

  it('get_flip_history answers with the transitions of flip-intelligence', async () => {
    const { structured } = await guest.call('get_flip_history', { ...asset, limit: 3 });
    const { payload } = await service.post('/backend/core-line/flip-intelligence', { ...asset, limit: 3 });
    assert.equal(structured.flips.rows.length, 3);
    assert.deepEqual(leavesBut(structured), leavesBut(payload));
  });

  it('plan_trade_levels answers with a body that validate_signal accepts', async () => {
    for (const side of ['long', 'short']) {
      const plan = await guest.call('plan_trade_levels', { ...asset, side, targets: 6, risk_style: 'tight' });
      const { signal, targets } = plan.structured;
      assertClose(Number(signal.sell_price_1), Number(targets.rows[0][0]), side);
      const { structured } = await guest.call('validate_signal', { version: 'v1', signal });
      assert.deepEqual(structured.faults.rows, [], side);
      assert.equal(structured.valid, true);
    }
  });

  it('pages hold all rows once, however many a model asks for', async () => {
    const times: string[] = [];
    let end: string | null = btc.time.length > 0 ? new Date(btc.time[700]).toISOString() : null;
    while (end !== null) {
      const args: Fields = { ...asset, interval: '1h', limit: 500, end_time: end };
      const { structured, bytes } = await guest.call('get_candles', args);
      assert.ok(bytes <= 24 * 1024);
      // What does not fit into an answer is said, with the way on.
      if (structured.truncated === true) assert.notEqual(structured.earlier_end_time, null);
      else assert.ok(structured.candles.rows.length === 500 || structured.earlier_end_time === null);
      times.unshift(...structured.candles.rows.map(([time]: [string]) => time));
      end = structured.earlier_end_time as string | null;
    }
    assert.deepEqual(
      times,
      Array.from(btc.time.subarray(0, 700), (timeMs) => new Date(timeMs).toISOString()),
    );
  });

  it('say what is missing where nothing is stored', async () => {
    const empty = await openTestService();
    const client = await connectMcp(empty.url);
    try {
      for (const [tool, args] of cases) {
        const { structured, isError } = await client.call(tool, args);
        if (isError)
          assert.match(structured.error.code, /^(invalid_input|market_filling|not_enough_history)$/, tool);
      }
      const { structured } = await client.call('list_assets');
      assert.deepEqual([structured.total, structured.assets.rows], [0, []]);
    } finally {
      await client.close();
      await empty.close();
    }
  });
});
