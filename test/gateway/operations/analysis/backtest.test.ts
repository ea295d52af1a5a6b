import assert from 'node:assert/strict';
import type { Candles } from '../../../../compute/model/candles.js';
import { engineVersion } from '../../../../compute/model/engine-version.js';
import { assertClose } from '../../../support/numbers/close-to.js';
import { assertRefused, badValues, type BadRequest } from '../../../support/gateway/envelope.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { badSeriesFields } from '../../../support/candles/series-fields.js';

const path = '/backend/core-line/backtest';
const good = { asset: 'BTC' };
const emaCross = { ...good, strategy: 'ema_cross' };

const bad: BadRequest[] = [
  ...badSeriesFields,
  ...badValues(good, 'period', 'INVALID_INPUT_PERIOD', [
    ...['3d', '2M', '2y', '', null, 1, ['1y'], {}, { $ne: null }, 'toString'],
  ]),
  ...badValues(good, 'strategy', 'INVALID_INPUT_STRATEGY', [
    ...['', 'nope', 'TREND', 'constructor', '__proto__', null, 1, ['trend_state'], {}],
  ]),
  ...badValues(good, 'params', 'INVALID_INPUT_PARAMS', [null, 'x', 1, [], [1], { fast: 5 }, { period: 5 }]),
  ...badValues(emaCross, 'params', 'INVALID_INPUT_PARAMS', [
    ...[
      { fast: 1 },
      { fast: 201 },
      { fast: 5.5 },
      { fast: '5' },
      { fast: null },
      { fast: [5] },
      { fast: {} },
    ],
    ...[
      { slow: 2 },
      { slow: 501 },
      { period: 5 },
      { Fast: 5 },
      { constructor: 5 },
      { toString: 5 },
      { $gt: 5 },
    ],
  ]),
  ...badValues(good, 'feePercent', 'INVALID_INPUT_FEE_PERCENT', [-0.1, 11, 100, '0,1', [0.1], {}, true]),
  ...badValues(good, 'slippagePercent', 'INVALID_INPUT_SLIPPAGE_PERCENT', [-0.1, 11, '0,1', null, {}]),
  ...['feePercent', 'slippagePercent'].map((field) => ({
    what: `${field} 1e400`,
    body: `{"asset":"BTC","${field}":1e400}`,
    status: 400,
    type: field === 'feePercent' ? 'INVALID_INPUT_FEE_PERCENT' : 'INVALID_INPUT_SLIPPAGE_PERCENT',
    field,
  })),
  ...[
    ['{"fast":1e400}', 'params.fast'],
    [`{"fast":${'['.repeat(15_000)}${']'.repeat(15_000)}}`, 'params'],
  ].map(([params, field]) => ({
    what: `params ${params.slice(0, 30)}`,
    body: `{"asset":"BTC","strategy":"ema_cross","params":${params}}`,
    ...{ status: 400, type: 'INVALID_INPUT_PARAMS', field },
  })),
  ...badValues(good, 'exchange', 'INVALID_INPUT_EXCHANGE', [
    '',
    'binanse',
    'PAPER',
    'toString',
    1,
    ['OKX'],
    {},
  ]),
  ...['limit', 'Period', '$where', 'userId'].map((field) => ({
    what: `the unknown field ${field}`,
    body: { ...good, [field]: 1 },
    ...{ status: 400, type: 'INVALID_INPUT_CONTENT', field },
  })),
];

describe('POST /backend/core-line/backtest', () => {
  let service: TestService;
  let btc: Candles;
  let token: string;

  before(async () => {
    ({ service, btc, token } = await openTestMarket());
  });
  after(() => service.close());

  const post = (body: unknown, headers: Record<string, string> = {}) =>
    service.post(path, body, { 'session-token': token, ...headers });

  it('answers a signed-in user with the figures of the interface', async () => {
    const { status, headers, result, payload } = await post({ asset: 'BTC', interval: '1h' });
    assert.equal(status, 200);
    assert.deepEqual(result, { type: 'OPERATION_PERFORMED', ttl: 3_600 });
    assert.deepEqual(Object.keys(payload).sort(), [
      ...['asset', 'assumptions', 'benchmark', 'calmar', 'candles', 'equity', 'expectancy', 'exposure', 'id'],
      ...[
        'interval',
        'lookAheadCheck',
        'maxDrawdown',
        'maxDrawdownIntrabarPercent',
        'months',
        'notes',
        'params',
        'period',
      ],
      ...['profitFactor', 'sharpe'],
      ...[
        'sortino',
        'source',
        'strategy',
        'totalReturn',
        'tradeCount',
        'tradeMarket',
        'trades',
        'winRate',
        'window',
      ],
    ]);
    const { asset, tradeMarket, interval, period, strategy, params, source, candles, notes } = payload;
    assert.deepEqual(
      { asset, tradeMarket, interval, period, strategy, params, source, candles, notes },
      {
        ...{
          asset: 'BTC',
          tradeMarket: 'USDT',
          interval: '1h',
          period: '1y',
          strategy: 'trend_state',
          params: {},
        },
        ...{ source: 'csv', candles: 365 * 24, notes: [] },
      },
    );
    // 500 days from 2024-01-01 end on 2025-05-15.
    assert.deepEqual(payload.window, { from: '2024-05-15T00:00:00.000Z', to: '2025-05-15T00:00:00.000Z' });
    assert.deepEqual(payload.assumptions, {
      ...{ feePercent: 0.1, slippagePercent: 0.05, initialEquity: 10_000, fill: 'open of the next candle' },
      feeReason: 'the usual 0.1 %: neither feePercent nor exchange is given',
      ...{ riskFreePercent: 0, candlesPerYear: 8_760 },
    });
    assert.deepEqual(payload.lookAheadCheck, { candles: 20, differences: 0 });
    assert.deepEqual(Object.keys(payload.benchmark).sort(), [
      ...['maxDrawdown', 'maxDrawdownIntrabarPercent', 'sharpe', 'totalReturn'],
    ]);
    assert.match(payload.id, /^[0-9a-f]{64}$/);
    assert.match(headers.get('cache-control') ?? '', /(^|[ ,])max-age=3600$/);
    assert.match(headers.get('etag') ?? '', /^W\/"[\w-]+"$/);
  });

  it('gives figures that follow from its own trades and equity', async () => {
    const { payload } = await post({ asset: 'BTC', interval: '1h' });
    const { trades, equity, assumptions } = payload;
    assert.equal(payload.tradeCount, trades.length);
    assert.ok(trades.length > 10);
    let compounded = 1;
    let wins = 0;
    for (const trade of trades) {
      assert.deepEqual(Object.keys(trade).sort(), [
        ...[
          'entryDate',
          'entryPrice',
          'entryTime',
          'exitDate',
          'exitPrice',
          'exitReason',
          'exitTime',
          'return',
        ],
      ]);
      for (const day of [trade.entryDate, trade.exitDate]) assert.match(day, /^\d{4}-\d\d-\d\d$/);
      for (const side of ['entry', 'exit']) {
        const time = String(trade[`${side}Time`]);
        assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
        assert.equal(time.slice(0, 10), trade[`${side}Date`]);
      }
      assert.ok(
        trade.entryDate <= trade.exitDate && trade.entryDate >= String(payload.window.from).slice(0, 10),
      );
      const [paid, got] = [trade.entryPrice * 1.001, trade.exitPrice * 0.999];
      // Prices of the answer have 12 digits.
      assert.ok(Math.abs(trade.return - (got / paid - 1) * 100) < 1e-9, 'return');
      compounded *= got / paid;
      wins += trade.return > 0 ? 1 : 0;
    }
    // Equity falls by the fee at the last exit too, so the product of all trades is the whole result.
    assertClose(payload.totalReturn, (compounded - 1) * 100, 'totalReturn');
    assertClose(payload.winRate, (wins / trades.length) * 100, 'winRate');
    assert.ok(payload.maxDrawdown <= 0 && payload.maxDrawdown >= -100);
    assert.ok(payload.maxDrawdownIntrabarPercent < payload.maxDrawdown);
    assert.ok(equity.length <= 500);
    const times = (equity as { time: number }[]).map(({ time }) => time);
    assert.ok(times.every((time, i) => Number.isInteger(time) && (i === 0 || time > times[i - 1])));
    const last = equity[equity.length - 1].value;
    assert.ok(Math.abs(last - assumptions.initialEquity * compounded) < 0.01);
  });

  it('gives ratios that follow from its own equity, of which a year of days keeps every point', async () => {
    const { payload } = await post({ asset: 'BTC', interval: '1d', strategy: 'ema_cross' });
    const equity = (payload.equity as { value: number }[]).map(({ value }) => value);
    assert.equal(equity.length, 365);
    const returns = equity.slice(1).map((value, i) => value / equity[i] - 1);
    const mean = returns.reduce((sum, each) => sum + each) / returns.length;
    const squares = returns.reduce((sum, each) => sum + (each - mean) ** 2, 0);
    const sharpe = (mean / Math.sqrt(squares / (returns.length - 1))) * Math.sqrt(365);
    let peak = 10_000;
    const drawdowns = equity.map((value) => value / (peak = Math.max(peak, value)) - 1);
    // Points of the curve are cents.
    assert.ok(Math.abs(payload.sharpe - sharpe) < 1e-4, `${payload.sharpe} against ${sharpe}`);
    assert.ok(Math.abs(payload.maxDrawdown - Math.min(...drawdowns) * 100) < 1e-3);
    let [held, profit, loss] = [10_000, 0, 0];
    for (const { return: percent } of payload.trades as { return: number }[]) {
      const change = (held * percent) / 100;
      held += change;
      if (change > 0) profit += change;
      else loss -= change;
    }
    assert.ok(profit > 0 && loss > 0);
    assertClose(payload.profitFactor, profit / loss, 'profitFactor');
  });

  it('charges the taker fee of the exchange where no fee is given, and says so', async () => {
    const feeOf = async (more: object) => {
      const { payload } = await post({ ...good, ...more });
      const { feePercent, feeReason } = payload.assumptions as { feePercent: number; feeReason: string };
      return { id: payload.id as string, feePercent, feeReason, trades: payload.trades as object[] };
    };
    const kraken = await feeOf({ exchange: 'KRAKEN' });
    assert.equal(kraken.feePercent, 0.4);
    assert.match(
      kraken.feeReason,
      /^taker fee of KRAKEN, base tier as of \d{4}-\d\d-\d\d \(https:\/\/www\.kraken\.com/,
    );
    const given = await feeOf({ exchange: 'KRAKEN', feePercent: 0.4 });
    assert.deepEqual([given.feePercent, given.feeReason], [0.4, 'as given in feePercent']);
    assert.deepEqual(given.trades, kraken.trades);
    // Another reason is another report: the same id always gives the same bytes.
    assert.notEqual(given.id, kraken.id);
    assert.deepEqual(await feeOf({ exchange: null, feePercent: null }), await feeOf({}));
    assert.notDeepEqual((await feeOf({})).trades, kraken.trades);
  });

  it('fills at opens of the candles it was given, slippage included', async () => {
    const { payload } = await post({
      asset: 'BTC',
      interval: '1h',
      period: '3M',
      feePercent: 0,
      slippagePercent: 0,
    });
    const opens = new Set(btc.open);
    for (const { entryPrice, exitPrice, exitReason } of payload.trades) {
      assert.ok(opens.has(entryPrice));
      assert.ok(exitReason === 'end' || opens.has(exitPrice), exitReason);
    }
  });

  it('takes 1d, 1y and USDT unless told otherwise', async () => {
    const [short, long] = [
      await post(good),
      await post({
        ...good,
        interval: '1d',
        period: '1y',
        tradeMarket: 'USDT',
        strategy: 'trend_state',
        params: {},
      }),
    ];
    assert.deepEqual(short.payload, long.payload);
    assert.equal(short.result.ttl, 86_400);
    assert.equal(short.payload.candles, 365);
  });

  for (const strategy of ['buy_and_hold', 'ema_cross', 'trend_state']) {
    for (const interval of ['1d', '4h', '1h']) {
      it(`runs ${strategy} on ${interval} over 3M, 6M and 1y`, async () => {
        for (const [period, days] of Object.entries({ '3M': 89, '6M': 181, '1y': 365 })) {
          const { status, payload } = await post({ ...good, interval, period, strategy });
          assert.equal(status, 200);
          // From 15 February, 15 November and 15 May on, to 15 May 2025.
          assert.equal(
            payload.candles,
            days * { '1d': 1, '4h': 6, '1h': 24 }[interval]!,
            `${interval} ${period}`,
          );
          assert.deepEqual(
            [payload.strategy, payload.period, payload.interval],
            [strategy, period, interval],
          );
        }
      });
    }
  }

  it('takes parameters of the strategy, defaults for the rest', async () => {
    const { payload } = await post({ ...emaCross, params: { fast: 5 } });
    assert.deepEqual(payload.params, { fast: 5, slow: 50 });
    assert.deepEqual((await post(emaCross)).payload.params, { fast: 20, slow: 50 });
  });

  it('takes no parameter from a prototype', async () => {
    const { status, result } = await post(
      '{"asset":"BTC","strategy":"ema_cross","params":{"__proto__":{"fast":5}}}',
    );
    assert.deepEqual([status, result], [400, { type: 'INVALID_INPUT_BODY' }]);
  });

  it('gives null with a note for a ratio that means nothing', async () => {
    const { payload } = await post({ ...good, strategy: 'buy_and_hold', period: '3M' });
    assert.equal(payload.tradeCount, 1);
    const ratio = payload.trades[0].return > 0 ? payload.profitFactor : null;
    assert.equal(ratio, null);
    if (payload.trades[0].return > 0)
      assert.match(String(payload.notes), /profitFactor is null: no trade lost/);
    assert.doesNotMatch(JSON.stringify(payload), /NaN|Infinity/);
  });

  it('says so when history is shorter than the period', async () => {
    const { status, payload } = await post({ asset: 'ETH', interval: '1h', period: '1y' });
    assert.equal(status, 200);
    // States of 1h candles start with the 61st.
    assert.equal(payload.window.from, '2024-01-03T12:00:00.000Z');
    assert.equal(payload.notes[0], 'history is shorter than 1y: the window starts 2024-01-03T12:00:00.000Z');
  });

  it('refuses a series too short for the strategy, and says how long it must be', async () => {
    const answer = await post({ asset: 'NEW', interval: '1h' });
    assert.equal(answer.status, 400);
    assert.match(answer.result.type, /^INVALID_INPUT_/);
    assert.equal(answer.payload.message, 'trend_state needs 61 closed 1h candles, found 5');
  });

  it('gives the same bytes and the same id for the same question', async () => {
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await fetch(service.url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'session-token': token },
          body: JSON.stringify({ asset: 'ETH', interval: '4h', period: '3M' }),
        });
        return `${answer.headers.get('etag')} ${await answer.text()}`;
      }),
    );
    assert.equal(new Set(texts).size, 1);
    const { payload } = JSON.parse(texts[0].slice(texts[0].indexOf(' '))) as { payload: { id: string } };
    assert.ok(texts[0].startsWith(`W/"${engineVersion}-${payload.id.slice(0, 32)}"`));
  });

  it('gives another id for another question', async () => {
    const questions = [
      good,
      { ...good, interval: '4h' },
      { ...good, period: '3M' },
      { ...good, feePercent: 0 },
      { ...good, slippagePercent: 0 },
      { ...good, asset: 'ETH' },
      { ...good, asset: 'ETH', tradeMarket: 'BTC' },
      emaCross,
      { ...emaCross, params: { fast: 5 } },
      { ...emaCross, params: { slow: 60 } },
    ];
    const ids = await Promise.all(
      questions.map(async (question) => (await post(question)).payload.id as string),
    );
    assert.equal(new Set(ids).size, questions.length);
    // A default written out is no other question.
    assert.equal((await post({ ...emaCross, params: { slow: 50, fast: 20 } })).payload.id, ids[7]);
  });

  it('tells where its time went', async () => {
    // A question nobody has asked: a known answer takes no stages.
    const { headers } = await post({ ...good, feePercent: 0.137 });
    const stages = (headers.get('server-timing') ?? '').split(', ').map((entry) => {
      const [, name, ms] = /^(\w+);dur=(\d+\.\d+)$/.exec(entry) ?? [];
      assert.ok(Number(ms) >= 0 && Number(ms) < 60_000, entry);
      return name;
    });
    assert.deepEqual(stages, ['queue', 'candles', 'decide', 'thread', 'compute']);
  });

  it('answers with the request id it was given, or one of its own', async () => {
    const { headers } = await post(good, { 'x-request-id': 'trace-1.2_3' });
    assert.equal(headers.get('x-request-id'), 'trace-1.2_3');
    for (const odd of ['a b', 'x'.repeat(65), '<script>', 'ä'])
      assert.match(
        (await post(good, { 'x-request-id': odd })).headers.get('x-request-id') ?? '',
        /^[0-9a-f-]{36}$/,
      );
  });

  for (const { what, body, ...expected } of bad)
    it(`refuses ${what}`, async () => assertRefused(await post(body), expected, what));
});
