import assert from 'node:assert/strict';
import { timeForms } from '../../../../compute/model/as-written.js';
import type { Candles } from '../../../../compute/model/candles.js';
import { roundFigures } from '../../../../compute/model/round-figures.js';
import { figuresOf } from '../../../../compute/backtest/report.js';
import { reportRuleTrades } from '../../../../compute/backtest/rules-report.js';
import type { ResearchResult } from '../../../../jobs/definitions/research-backtest.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { runRules } from '../../../support/rules/run-rules.js';
import type { TestService } from '../../../support/gateway/gateway.js';

const strategy = {
  params: { fast: { default: 20, min: 5, max: 50, step: 5 } },
  long: {
    entry: {
      all: [
        { left: 'ema_{fast}', op: '>', right: 'EMA_50' },
        { left: 'close', op: '>', right: 'sma_20@1d' },
      ],
    },
    exit: { left: 'ema_{fast}', op: '<', right: 'ema_50' },
    stopLoss: { atr: 2 },
  },
  short: { entry: { left: 'rsi_14', op: '>', right: 70 }, takeProfit: { percent: 3 } },
};

describe('research over HTTP', () => {
  let service: TestService;
  let btc: Candles;
  let token: string;
  const ask = (path: string, body: object, headers: Record<string, string> = { 'session-token': token }) =>
    service.post(`/backend/research/${path}`, body, headers);
  const run = async (body: object) =>
    (await ask('backtest', { strategy, asset: 'BTC', interval: '1h', ...body }))
      .payload as unknown as ResearchResult;

  before(async () => ({ service, btc, token } = await openTestMarket()));
  after(() => service.close());

  it('answers what the engine trades, with what was asked', async () => {
    const body = { from: '2024-03-01', to: '2024-11-01T12:00', params: { fast: 10 }, feePercent: 0.2 };
    const payload = await run(body);
    const expected = runRules(
      strategy,
      { BTC: btc },
      '1h',
      {
        fromMs: Date.UTC(2024, 2, 1),
        toMs: Date.UTC(2024, 10, 1, 12),
        costs: { feeRate: 0.002, slippageRate: 0.0005 },
      },
      { fast: 10 },
    );
    assert.deepEqual(payload.trades, roundFigures(reportRuleTrades(expected.run.trades, expected.assets)));
    assert.ok(payload.trades.length > 10);
    const figures = roundFigures(figuresOf(expected.run, 8_760)) as object;
    for (const [name, value] of Object.entries(figures))
      assert.equal(payload[name as keyof ResearchResult], value, name);
    assert.deepEqual(
      [payload.window, payload.params, payload.assets, payload.source, payload.lookAheadCheck],
      [
        { from: '2024-03-01T00:00:00.000Z', to: '2024-11-01T12:00:00.000Z' },
        { fast: 10 },
        ['BTC'],
        'csv',
        { candles: 20, runs: 3, differences: 0 },
      ],
    );
  });

  it('gives the same id and bytes for equal rules, and keeps their decisions for other costs', async () => {
    const first = await run({});
    assert.deepEqual(
      await run({ strategy: { short: strategy.short, params: strategy.params, long: strategy.long } }),
      first,
    );
    const other = await run({ feePercent: 1 });
    assert.notEqual(other.id, first.id);
    assert.equal(other.strategyHash, first.strategyHash);
  });

  it('trades several assets in one account', async () => {
    const { payload } = await ask('backtest', {
      ...{
        strategy: 'ema_cross',
        assets: ['BTC', 'ETH'],
        interval: '4h',
        rankBy: '-change_5',
        maxPositions: 1,
      },
    });
    const { assets, breakdown, entries } = payload as unknown as ResearchResult;
    assert.deepEqual(assets, ['BTC', 'ETH']);
    assert.deepEqual(
      breakdown.filter(({ by }) => by === 'asset').map(({ key }) => key),
      ['BTC', 'ETH'],
    );
    assert.ok(entries.skippedFull > 0);
  });

  it('says the rules in plain English to everyone', async () => {
    const { payload } = await ask('check', { strategy, interval: '1h' }, {});
    assert.deepEqual(payload, {
      hash: (await run({})).strategyHash,
      columns: ['ema_20', 'ema_50', 'close', 'sma_20@1d', 'rsi_14'],
      warmup: 479,
      rules: [
        'Buy at the next open when ema_20 is above ema_50 and close is above sma_20 of the last closed 1d candle.',
        'Sell at the next open when ema_20 is below ema_50.',
        'Stop 2 x ATR(14) below the entry.',
        'Sell short at the next open when rsi_14 is above 70.',
        'Take profit 3 % below the entry.',
        'Each position takes an equal part of the account.',
      ],
    });
  });

  const entry = { left: 'close', op: '>', right: 'sma_20' };
  const faults: [body: object, type: string, field: string, message: string][] = [
    [{ strategy: {} }, 'STRATEGY', 'strategy', 'a strategy needs "long" or "short"'],
    [{ strategy: 'nothing' }, 'STRATEGY', 'strategy', 'there is no strategy "nothing"'],
    [
      { strategy: { long: { entry: { all: [entry, { ...entry, op: '==' }] } } } },
      ...(['STRATEGY', 'strategy.long.entry.all[1].op'] as const),
      '"op" must be one of <, <=, >, >=, =, crosses_above, crosses_below, found "=="',
    ],
    [{ params: { fast: 80 } }, 'PARAMS', 'params.fast', '"fast" must be from 5 to 50, found 80'],
    [{ from: '2024-02-01', to: '2024-02-01' }, 'TO', 'to', '"to" must be after "from"'],
    [
      { from: '2024-02-30' },
      ...(['FROM', 'from'] as const),
      `"from" must be ${timeForms}, found "2024-02-30"`,
    ],
    [
      { strategy: 'ema_crss' },
      ...(['STRATEGY', 'strategy'] as const),
      'there is no strategy "ema_crss"; did you mean "ema_cross"?',
    ],
    [
      { strategy: '{"long": {}}' },
      ...(['STRATEGY', 'strategy'] as const),
      'there is no strategy "{"long": {}}": rules are given as an object of JSON, not as text',
    ],
    [
      { strategy: { long: null } },
      ...(['STRATEGY', 'strategy.long'] as const),
      'expected {entry, exit, stopLoss, takeProfit, trailingStop, maxCandles}',
    ],
    [
      { strategy: { long: { entry, trailingStop: { r: 2 } } } },
      ...(['STRATEGY', 'strategy.long.trailingStop'] as const),
      'expected one of percent, atr, found r',
    ],
    [
      { strategy: { long: { entry: { ...entry, left: 5 } } } },
      ...(['STRATEGY', 'strategy.long.entry.left'] as const),
      'expected a column such as rsi_14, found 5',
    ],
    [{ asset: undefined, assets: ['ETH', 'eth'] }, 'ASSETS', 'assets', '"assets" names ETH twice'],
    [{ assets: ['ETH'] }, 'ASSETS', 'assets', 'expected "asset" or "assets", found both'],
    [{ rankBy: 'rsii_14' }, 'RANK_BY', 'rankBy', 'there is no field "rsii_14"; did you mean "rsi_14"?'],
  ];
  for (const [body, type, field, message] of faults)
    it(`refuses at ${field}: ${message}`, async () => {
      const answer = await ask('backtest', { strategy, asset: 'BTC', interval: '1h', ...body });
      const { payload, result, status } = answer;
      assert.deepEqual([status, result.type], [400, `INVALID_INPUT_${type}`]);
      const { field: place, message: said } = payload as { field: string; message: string };
      assert.deepEqual([place, said], [field, message]);
    });

  it('names the column that lacks most where the history is too short', async () => {
    const { status, payload } = await ask('backtest', {
      ...{ strategy: { long: { entry: { ...entry, right: 'sma_200' } } }, asset: 'ETH', interval: '1d' },
    });
    assert.equal(status, 400);
    const { message } = payload as { message: string };
    assert.equal(message, '"sma_200" has no value on any candle: ETH has 100 closed 1d candles in all');
  });

  for (const [name, time, type] of [
    ['from', '2100-01-01', 'INVALID_INPUT_FROM'],
    ['to', '2001-01-01', 'INVALID_INPUT_TO'],
  ])
    it(`names "${name}" where no candle is within the window`, async () => {
      const asked = { strategy, asset: 'BTC', interval: '1h', [name]: time };
      const { payload, result, status } = await ask('backtest', asked);
      const { field } = payload as { field?: string };
      assert.deepEqual([status, result.type, field], [400, type, name]);
    });
});
