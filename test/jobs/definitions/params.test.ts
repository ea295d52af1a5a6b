import assert from 'node:assert/strict';
import { jobs } from '../../../jobs/definitions/index.js';

const places: Record<string, object> = {
  series: { key: {}, digest: 'x' },
  params: {},
  market: { market: 'demo', tradeMarket: 'USDT', interval: '1h', assets: null, version: '1' },
};

/** Per job: what else its payload holds, parameters as they come and as they are taken, and parameters that are refused. */
const cases: { job: string; place: string; taken: [object, object][]; refused: object[] }[] = [
  {
    job: 'dca-ladder',
    place: 'params',
    taken: [
      [
        { firstPrice: '100', firstAmount: '50', levels: [{ buyPrice: '90', multiplier: '2' }] },
        {
          firstPrice: '100',
          firstAmount: '50',
          levels: [{ buyPrice: '90', multiplier: '2' }],
          stop: null,
          feePercent: '0.1',
          step: '0.00000001',
        },
      ],
    ],
    refused: [
      { firstPrice: '100', firstAmount: '50' },
      { firstPrice: '100', firstAmount: '50', levels: [] },
      { firstPrice: 1e21, firstAmount: '50', levels: [{ buyPrice: '90', multiplier: '2' }] },
      { firstPrice: '100', firstAmount: '50', levels: [{ buyPrice: '90' }] },
      {
        firstPrice: '100',
        firstAmount: '50',
        levels: Array.from({ length: 21 }, () => ({ buyPrice: '90', multiplier: '2' })),
      },
    ],
  },
  {
    job: 'performance',
    place: 'market',
    taken: [[{ assets: ['BTC'] }, { assets: ['BTC'] }]],
    refused: [{}, { assets: [] }, { assets: ['BTC', 'BTC'] }, { assets: Array.from({ length: 11 }, String) }],
  },
  {
    job: 'position-size',
    place: 'params',
    taken: [
      [
        { accountSize: '1000', riskPercent: '1', entry: '100', stop: '90' },
        {
          accountSize: '1000',
          riskPercent: '1',
          entry: '100',
          stop: '90',
          side: 'long',
          leverage: '1',
          marginType: 'ISOLATED',
          asset: null,
          tradeMarket: 'USDT',
          exchange: null,
          step: null,
          tick: null,
          minNotional: null,
          feePercent: null,
          maintenanceMarginPercent: '0.5',
        },
      ],
    ],
    refused: [
      { accountSize: '1000', riskPercent: '1', entry: '100' },
      { accountSize: '1e3', riskPercent: '1', entry: '100', stop: '90' },
      { accountSize: '1000', riskPercent: '1', entry: '100', stop: '90', side: 'up' },
    ],
  },
  {
    job: 'recurring-buy',
    place: 'series',
    taken: [
      [{ amount: 50 }, { amount: 50, every: 'week', period: '1y', onlyState: null, feePercent: 0.1 }],
      [
        { amount: 50, every: 'month', period: '3M', onlyState: 'wait', feePercent: 0 },
        { amount: 50, every: 'month', period: '3M', onlyState: 'wait', feePercent: 0 },
      ],
    ],
    refused: [
      {},
      { amount: 0 },
      { amount: 50, every: 'year' },
      { amount: 50, period: '2y' },
      { amount: 50, onlyState: 'rise' },
      { amount: 50, feePercent: 100 },
    ],
  },
  {
    job: 'seasonality',
    place: 'series',
    taken: [
      [{}, { by: 'weekday' }],
      [{ by: 'session' }, { by: 'session' }],
    ],
    refused: [{ by: 'year' }, { by: 1 }],
  },
  {
    job: 'similar-history',
    place: 'series',
    taken: [
      [{}, { window: 30, matches: 10 }],
      [
        { window: 120, matches: 20 },
        { window: 120, matches: 20 },
      ],
    ],
    refused: [{ window: 9 }, { window: 121 }, { window: 10.5 }, { matches: 0 }, { matches: 21 }],
  },
  {
    job: 'tail-risk',
    place: 'market',
    taken: [
      [{ weights: { BTC: 0.6, ETH: 0.4 } }, { weights: { BTC: 0.6, ETH: 0.4 }, lookbackDays: 365 }],
      [
        { weights: { BTC: 1 }, lookbackDays: 1825 },
        { weights: { BTC: 1 }, lookbackDays: 1825 },
      ],
    ],
    refused: [
      {},
      { weights: {} },
      { weights: { BTC: 'all' } },
      { weights: { BTC: 1 }, lookbackDays: 89 },
      { weights: { BTC: 1 }, lookbackDays: 1826 },
    ],
  },
  {
    job: 'target-probability',
    place: 'series',
    taken: [
      [
        { target: 110, stop: 95 },
        { side: 'long', entry: null, target: '110', stop: '95', maxCandles: 60 },
      ],
      [
        { side: 'short', entry: 100, target: '90', stop: 105, maxCandles: 500 },
        { side: 'short', entry: '100', target: '90', stop: '105', maxCandles: 500 },
      ],
    ],
    refused: [
      { target: 110 },
      { stop: 95 },
      { target: 0, stop: 95 },
      { target: 110, stop: 95, entry: -1 },
      { target: 110, stop: 95, side: 'both' },
      { target: 110, stop: 95, maxCandles: 0 },
      { target: 110, stop: 95, maxCandles: 501 },
    ],
  },
];

describe('the parameters of jobs', () => {
  for (const { job: name, place, taken, refused } of cases) {
    const job = jobs.find((each) => each.name === name)!;
    // As a worker does: nothing is converted on the way.
    const check = (params: object) =>
      job.payload.validate({ ...places[place], params }, { convert: false }) as {
        error?: Error;
        value: { params: object };
      };

    it(`of ${name} are filled up with the defaults`, () => {
      for (const [given, expected] of taken) {
        const { error, value } = check(given);
        assert.equal(error, undefined);
        assert.deepEqual(value.params, expected);
      }
    });

    it(`of ${name} are refused out of their ranges`, () => {
      for (const params of refused) assert.ok(check(params).error, JSON.stringify(params));
    });
  }
});
