import assert from 'node:assert/strict';
import Joi from 'joi';
import { readInput } from '../../gateway/operation.js';
import { openTestMarket } from '../support/candles/market.js';
import type { TestService } from '../support/gateway/gateway.js';
import { within } from '../support/process/within.js';

describe('readInput', () => {
  const schema = Joi.object({
    interval: Joi.string().valid('1h', '4h', '1d'),
    strategy: Joi.string().valid('trend_state', 'ema_cross'),
    password: Joi.string().valid('secret1'),
    levels: Joi.array().items(Joi.object({ buyPrice: Joi.string() })),
    order: Joi.object({ side: Joi.string() }),
  });
  const message = (given: object) => {
    try {
      readInput(schema, given);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('asks for the nearest choice and for the nearest field, at every depth', () => {
    for (const [given, expected] of [
      [{ interval: '1D' }, '"interval" must be one of [1h, 4h, 1d], found "1D"; did you mean "1d"?'],
      [
        { strategy: 'ema_crss' },
        '"strategy" must be one of [trend_state, ema_cross], found "ema_crss"; did you mean "ema_cross"?',
      ],
      [{ intervall: '1d' }, '"intervall" is not allowed; did you mean "interval"?'],
      [{ levels: [{ buyprice: '1' }] }, '"levels[0].buyprice" is not allowed; did you mean "buyPrice"?'],
      [{ order: { sid: 'x' } }, '"order.sid" is not allowed; did you mean "side"?'],
    ] as const)
      assert.equal(message(given), expected);
  });

  it('names the misspelt field where one is missing', () => {
    const required = Joi.object({ asset: Joi.string().required() });
    const refused = (given: object, message: string) =>
      assert.throws(() => readInput(required, given), { code: 'invalid_input', message });
    refused({ aset: 'BTC' }, '"asset" is required, found "aset"');
    const nested = { levels: [{ price: '1' }, { prise: '1' }] };
    const levels = Joi.array().items(Joi.object({ price: Joi.string().required() }));
    assert.throws(() => readInput(Joi.object({ levels }), nested), {
      message: '"levels[1].price" is required, found "prise"',
    });
    for (const given of [{}, { nonsense: 1 }, { ['a'.repeat(60_000)]: 1 }])
      refused(given, '"asset" is required');
  });

  it('asks nothing where nothing is near, or where the value is a secret', () => {
    for (const given of [
      { interval: 'x'.repeat(5_000) },
      { interval: 7 },
      { nonsense: 1 },
      { password: 'secret2' },
    ])
      assert.doesNotMatch(message(given), /did you mean/);
  });
});

describe('misspelt names', () => {
  let service: TestService;
  let token: string;

  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  const meant = async (path: string, body: object) => {
    const { status, payload } = await service.post(path, body, { 'session-token': token });
    assert.ok(status === 400 || status === 404, `${path}: ${status}`);
    return /; did you mean (.*)\?$/.exec(String(payload.message))?.[1];
  };

  it('of every kind are answered with the nearest valid ones', async () => {
    const chart = '/backend/core-line/chart';
    for (const [path, body, expected] of [
      [chart, { asset: 'BTCC' }, '"BTC"'],
      [chart, { asset: 'bitcon' }, '"BTC"'],
      [chart, { asset: 'BTC', intreval: '1d' }, '"interval"'],
      ['/backend/core-line/backtest', { asset: 'BTC', strategy: 'ema_cros' }, '"ema_cross"'],
      ['/backend/core-line/backtest', { asset: 'BTC', exchange: 'binanse' }, '"BINANCE"'],
      ['/backend/core-line/portfolio', { exchange: 'papr' }, '"PAPER"'],
      ['/backend/analysis/performance', { assets: ['BTC', 'etherium'] }, '"ETH"'],
      ['/backend/analysis/list-indicators', { name: 'rsii' }, '"rsi"'],
      ['/backend/analysis/list-strategies', { name: 'trendstat' }, '"trend_state"'],
      [
        '/backend/analysis/compare',
        { assets: ['BTC'], strategies: [{ name: 'ema_cross', parms: {} }] },
        '"params"',
      ],
      ['/backend/analysis/trnd', {}, '"/backend/analysis/trend"'],
      ['/backend/trend', {}, '"/backend/analysis/trend"'],
      ['/backend/core-line/charts/', {}, '"/backend/core-line/chart"'],
      ['/reayz', {}, '"/readyz"'],
    ] as const)
      assert.equal(await meant(path, body), expected, `${path} ${JSON.stringify(body)}`);
  });

  it('are compared in little time, however long they are', async () => {
    for (const [path, body] of [
      [`/${'a/'.repeat(1_500)}${'b'.repeat(3_000)}`, {}],
      ['/backend/analysis/list-indicators', { name: 'r'.repeat(60_000) }],
      ['/backend/core-line/chart', { ['a'.repeat(60_000)]: 1 }],
    ] as const)
      assert.equal(await within('the answer', meant(path, body)), undefined);
  });
});
