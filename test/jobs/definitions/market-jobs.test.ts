import assert from 'node:assert/strict';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import type { Candles } from '../../../compute/model/candles.js';
import { resampleCandles } from '../../../compute/model/resample.js';
import type { PairCandles } from '../../../compute/task.js';
import { anomalies } from '../../../compute/market/anomalies.js';
import { breadth } from '../../../compute/market/breadth.js';
import { correlationMatrix } from '../../../compute/market/correlation-matrix.js';
import { marketOverview } from '../../../compute/market/market-overview.js';
import { movers } from '../../../compute/market/movers.js';
import { pairRelationship } from '../../../compute/market/pair-relationship.js';
import { portfolioRisk } from '../../../compute/risk/portfolio-risk.js';
import { screen, type ScreenParams } from '../../../compute/market/screen.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { pairsOf } from '../../support/candles/pairs.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const traceId = 'test';
const payload = <Params>(params: Params, interval: '1h' | '1d' = '1h', assets: string[] | null = null) =>
  ({ market: 'csv', tradeMarket: 'USDT', interval, assets, version: '1', params }) as const;

const dayMs = 86_400_000;

const daily = (hours: Candles) =>
  resampleCandles(hours, {
    bucketMs: dayMs,
    firstMs: hours.time[0],
    endMs: hours.time[hours.time.length - 1] + dayMs / 24,
  });

describe('the jobs that ask about a market', () => {
  const pairs = pairsOf({
    BTC: randomCandles(24 * 70, { seed: 1 }),
    ETH: randomCandles(24 * 70, { seed: 2 }),
    SOL: randomCandles(24 * 60, { seed: 3 }),
  });
  let service: TestService;

  before(async () => {
    service = await openTestService();
    for (const { asset, candles } of pairs)
      await service.storage.candles.add({ market: 'csv', base: asset, quote: 'USDT' }, candles);
    await service.storage.candles.add({ market: 'csv', base: 'ETH', quote: 'BTC' }, pairs[1].candles);
  });
  after(() => service.close());

  const question = <Params>(params: Params, of: readonly PairCandles[] = pairs) =>
    ({ pairs: of, interval: '1h', params }) as const;

  it('answer what their tasks do on all stored pairs of the quote currency', async () => {
    const { queues } = service.deps;
    const overview = await queues.run(analysisJob(marketOverview), payload({}), { traceId });
    assert.deepEqual(overview.result, marketOverview.run(question({})));
    const breadthParams = { limit: 30 };
    const { result: rows } = await queues.run(analysisJob(breadth), payload(breadthParams), { traceId });
    assert.deepEqual(rows, breadth.run(question(breadthParams)));
    const scan = { minZ: 2, withinCandles: 24, limit: 10 };
    const { result: unusual } = await queues.run(analysisJob(anomalies), payload(scan), { traceId });
    assert.deepEqual(unusual, anomalies.run(question(scan)));
    const window = { window: '7d', rankBy: 'volume', minQuoteVolume: 1, limit: 10 } as const;
    const { result: moved } = await queues.run(analysisJob(movers), payload(window), { traceId });
    assert.deepEqual(moved, movers.run(question(window)));
    assert.equal(moved.stale, 1);
    const filter: ScreenParams = {
      conditions: [{ left: 'rsi_14', op: '>', right: '1' }],
      join: 'and',
      sortBy: null,
      limit: 10,
    };
    const { result: matches } = await queues.run(analysisJob(screen), payload(filter), { traceId });
    assert.deepEqual(matches, screen.run(question(filter)));
    assert.equal(matches.matched, 2);
  });

  it('answer what their tasks do on chosen pairs, in the order of the choice', async () => {
    const { queues } = service.deps;
    const chosen = [pairs[1], pairs[0]];
    const choice = { assets: ['ETH', 'BTC'], window: 100 };
    const { result: matrix } = await queues.run(
      analysisJob(correlationMatrix),
      payload(choice, '1h', ['ETH', 'BTC']),
      {
        traceId,
      },
    );
    assert.deepEqual(matrix, correlationMatrix.run(question(choice, chosen)));
    assert.deepEqual(matrix.assets, ['ETH', 'BTC']);
    const two = { asset: 'ETH', secondAsset: 'BTC', window: 100 };
    const { result: relation } = await queues.run(
      analysisJob(pairRelationship),
      payload(two, '1h', ['ETH', 'BTC']),
      { traceId },
    );
    assert.deepEqual(relation, pairRelationship.run(question(two, chosen)));
    const held = {
      positions: [{ asset: 'ETH', quantity: 2 }],
      changes: [{ asset: 'BTC', quantityDelta: 1 }],
      prices: [],
    };
    const { result: risk } = await queues.run(
      analysisJob(portfolioRisk),
      payload(held, '1d', ['ETH', 'BTC']),
      {
        traceId,
      },
    );
    const days = chosen.map((pair) => ({ ...pair, candles: daily(pair.candles) }));
    assert.deepEqual(risk, portfolioRisk.run({ pairs: days, interval: '1d', params: held }));
    assert.equal(risk.sample!.count, 69);
  });

  it('refuse what the task refuses, and an asset that is not stored', async () => {
    const { queues } = service.deps;
    const one = queues.run(
      analysisJob(correlationMatrix),
      payload({ assets: ['ETH'], window: 90 }, '1h', ['ETH']),
      { traceId },
    );
    await assert.rejects(one, {
      code: 'invalid_input',
      message: /"params.assets" must contain at least 2 items/,
    });
    const unknown = queues.run(
      analysisJob(pairRelationship),
      payload({ asset: 'ETH', secondAsset: 'DOGE', window: 90 }, '1h', ['ETH', 'DOGE']),
      {
        traceId,
      },
    );
    await assert.rejects(unknown, { code: 'invalid_input', details: { field: 'assets', asset: 'DOGE' } });
    const twice = queues.run(
      analysisJob(correlationMatrix),
      payload({ assets: ['ETH', 'BTC'], window: 90 }, '1h', ['ETH', 'ETH']),
      {
        traceId,
      },
    );
    await assert.rejects(twice, { code: 'invalid_input', message: 'asset "ETH" is named twice' });
  });
});

describe('the settings of jobs that ask about a market', () => {
  const defaults = <Params>(
    job: { payload: { validate: (value: unknown) => { value?: { params: Params } } } },
    params: object,
  ) => job.payload.validate(payload(params)).value!.params;
  const faulty = (job: { payload: { validate: (value: unknown) => { error?: unknown } } }, params: object) =>
    job.payload.validate(payload(params)).error !== undefined;

  const assets = { assets: ['BTC', 'ETH'] };
  const two = { asset: 'BTC', secondAsset: 'ETH' };

  it('have the defaults of the tools', () => {
    assert.deepEqual(defaults(analysisJob(anomalies), {}), { minZ: 3, withinCandles: 1, limit: 25 });
    assert.deepEqual(defaults(analysisJob(breadth), {}), { limit: 90 });
    assert.deepEqual(defaults(analysisJob(correlationMatrix), assets), { ...assets, window: 90 });
    assert.deepEqual(defaults(analysisJob(movers), {}), {
      window: '24h',
      rankBy: 'gain',
      minQuoteVolume: 0,
      limit: 10,
    });
    assert.deepEqual(defaults(analysisJob(pairRelationship), two), { ...two, window: 180 });
    const conditions = [{ left: 'close', op: '>', right: '1' }];
    assert.deepEqual(defaults(analysisJob(screen), { conditions }), {
      conditions,
      join: 'and',
      sortBy: null,
      limit: 25,
    });
    assert.deepEqual(defaults(analysisJob(portfolioRisk), { positions: [] }), {
      positions: [],
      changes: [],
      prices: [],
    });
  });

  it('keep to the ranges of the tools', () => {
    const condition = { left: 'close', op: '>', right: '1' };
    const cases: [job: Parameters<typeof faulty>[0], good: object[], bad: object[]][] = [
      [
        analysisJob(anomalies),
        [{ withinCandles: 48 }, { limit: 100 }],
        [{ withinCandles: 0 }, { withinCandles: 49 }, { limit: 101 }, { minZ: 0 }],
      ],
      [analysisJob(breadth), [{ limit: 1 }, { limit: 365 }], [{ limit: 0 }, { limit: 366 }, { limit: 1.5 }]],
      [
        analysisJob(correlationMatrix),
        [
          { ...assets, window: 20 },
          { ...assets, window: 365 },
        ],
        [
          { window: 90 },
          { assets: ['BTC'] },
          { assets: ['BTC', 'BTC'] },
          { ...assets, window: 19 },
          { ...assets, window: 366 },
        ],
      ],
      [analysisJob(marketOverview), [{}], [{ limit: 1 }]],
      [
        analysisJob(movers),
        [{ window: '30d' }, { rankBy: 'loss' }, { limit: 50 }],
        [{ window: '2d' }, { rankBy: 'size' }, { limit: 51 }, { minQuoteVolume: -1 }],
      ],
      [
        analysisJob(pairRelationship),
        [
          { ...two, window: 30 },
          { ...two, window: 730 },
        ],
        [{ asset: 'BTC' }, { secondAsset: 'ETH' }, { ...two, window: 29 }, { ...two, window: 731 }],
      ],
      [
        analysisJob(screen),
        [
          { conditions: [condition], join: 'or' },
          { conditions: Array<object>(6).fill(condition), limit: 100 },
        ],
        [
          {},
          { conditions: [] },
          { conditions: Array<object>(7).fill(condition) },
          { conditions: [{ ...condition, op: '!=' }] },
          { conditions: [condition], limit: 101 },
        ],
      ],
      [
        analysisJob(portfolioRisk),
        [{ positions: [{ asset: 'BTC', quantity: -1 }], changes: [{ asset: 'ETH', quantityDelta: 1 }] }],
        [
          {},
          { positions: [{ asset: 'BTC' }] },
          { positions: [], changes: Array<object>(21).fill({ asset: 'BTC', quantityDelta: 1 }) },
        ],
      ],
    ];
    for (const [job, good, bad] of cases) {
      for (const params of good) assert.equal(faulty(job, params), false, JSON.stringify(params));
      for (const params of bad) assert.equal(faulty(job, params), true, JSON.stringify(params));
    }
  });
});
