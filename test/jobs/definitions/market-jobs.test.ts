import assert from 'node:assert/strict';
import { anomaliesJob } from '../../../jobs/definitions/anomalies.js';
import { breadthJob } from '../../../jobs/definitions/breadth.js';
import { correlationMatrixJob } from '../../../jobs/definitions/correlation-matrix.js';
import { marketOverviewJob } from '../../../jobs/definitions/market-overview.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { pairRelationshipJob } from '../../../jobs/definitions/pair-relationship.js';
import { portfolioRiskJob } from '../../../jobs/definitions/portfolio-risk.js';
import { screenJob } from '../../../jobs/definitions/screen.js';
import type { Candles } from '../../../compute/model/candles.js';
import { resampleCandles } from '../../../compute/model/resample.js';
import type { PairCandles } from '../../../compute/task.js';
import { anomalies } from '../../../compute/tasks/anomalies.js';
import { breadth } from '../../../compute/tasks/breadth.js';
import { correlationMatrix } from '../../../compute/tasks/correlation-matrix.js';
import { marketOverview } from '../../../compute/tasks/market-overview.js';
import { movers } from '../../../compute/market/movers.js';
import { pairRelationship } from '../../../compute/tasks/pair-relationship.js';
import { portfolioRisk } from '../../../compute/tasks/portfolio-risk.js';
import { screen } from '../../../compute/tasks/screen.js';
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
    const overview = await queues.run(marketOverviewJob, payload({}), { traceId });
    assert.deepEqual(overview.result, marketOverview.run(question({})));
    const breadthParams = { limit: 30 };
    const { result: rows } = await queues.run(breadthJob, payload(breadthParams), { traceId });
    assert.deepEqual(rows, breadth.run(question(breadthParams)));
    const scan = { minZ: 2, withinCandles: 24, limit: 10 };
    const { result: unusual } = await queues.run(anomaliesJob, payload(scan), { traceId });
    assert.deepEqual(unusual, anomalies.run(question(scan)));
    const window = { window: '7d', rankBy: 'volume', minQuoteVolume: 1, limit: 10 } as const;
    const { result: moved } = await queues.run(analysisJob(movers), payload(window), { traceId });
    assert.deepEqual(moved, movers.run(question(window)));
    assert.equal(moved.stale, 1);
    const conditions = [{ left: 'rsi_14', op: '>', right: '1' }] as const;
    const filter = { conditions, join: 'and', sortBy: null, limit: 10 } as const;
    const { result: matches } = await queues.run(screenJob, payload(filter), { traceId });
    assert.deepEqual(matches, screen.run(question(filter)));
    assert.equal(matches.matched, 2);
  });

  it('answer what their tasks do on chosen pairs, in the order of the choice', async () => {
    const { queues } = service.deps;
    const chosen = [pairs[1], pairs[0]];
    const window = { window: 100 };
    const { result: matrix } = await queues.run(correlationMatrixJob, payload(window, '1h', ['ETH', 'BTC']), {
      traceId,
    });
    assert.deepEqual(matrix, correlationMatrix.run(question(window, chosen)));
    assert.deepEqual(matrix.assets, ['ETH', 'BTC']);
    const { result: relation } = await queues.run(
      pairRelationshipJob,
      payload(window, '1h', ['ETH', 'BTC']),
      { traceId },
    );
    assert.deepEqual(relation, pairRelationship.run(question(window, chosen)));
    const held = {
      positions: [{ asset: 'ETH', quantity: 2 }],
      changes: [{ asset: 'BTC', quantityDelta: 1 }],
    };
    const { result: risk } = await queues.run(portfolioRiskJob, payload(held, '1d', ['ETH', 'BTC']), {
      traceId,
    });
    const days = chosen.map((pair) => ({ ...pair, candles: daily(pair.candles) }));
    assert.deepEqual(risk, portfolioRisk.run({ pairs: days, interval: '1d', params: held }));
    assert.equal(risk.sample!.count, 69);
  });

  it('refuse what the task refuses, and an asset that is not stored', async () => {
    const { queues } = service.deps;
    const one = queues.run(correlationMatrixJob, payload({ window: 90 }, '1h', ['ETH']), { traceId });
    await assert.rejects(one, {
      code: 'invalid_input',
      message: 'expected 2 to 15 assets, found 1',
      details: { field: 'assets' },
    });
    const unknown = queues.run(pairRelationshipJob, payload({ window: 90 }, '1h', ['ETH', 'DOGE']), {
      traceId,
    });
    await assert.rejects(unknown, { code: 'invalid_input', details: { field: 'assets', asset: 'DOGE' } });
    const twice = queues.run(correlationMatrixJob, payload({ window: 90 }, '1h', ['ETH', 'ETH']), {
      traceId,
    });
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

  it('have the defaults of the tools', () => {
    assert.deepEqual(defaults(anomaliesJob, {}), { minZ: 3, withinCandles: 1, limit: 25 });
    assert.deepEqual(defaults(breadthJob, {}), { limit: 90 });
    assert.deepEqual(defaults(correlationMatrixJob, {}), { window: 90 });
    assert.deepEqual(defaults(analysisJob(movers), {}), {
      window: '24h',
      rankBy: 'gain',
      minQuoteVolume: 0,
      limit: 10,
    });
    assert.deepEqual(defaults(pairRelationshipJob, {}), { window: 180 });
    const conditions = [{ left: 'close', op: '>', right: '1' }];
    assert.deepEqual(defaults(screenJob, { conditions }), {
      conditions,
      join: 'and',
      sortBy: null,
      limit: 25,
    });
    assert.deepEqual(defaults(portfolioRiskJob, { positions: [] }), { positions: [], changes: [] });
  });

  it('keep to the ranges of the tools', () => {
    const condition = { left: 'close', op: '>', right: '1' };
    const cases: [job: Parameters<typeof faulty>[0], good: object[], bad: object[]][] = [
      [
        anomaliesJob,
        [{ withinCandles: 48 }, { limit: 100 }],
        [{ withinCandles: 0 }, { withinCandles: 49 }, { limit: 101 }, { minZ: 0 }],
      ],
      [breadthJob, [{ limit: 1 }, { limit: 365 }], [{ limit: 0 }, { limit: 366 }, { limit: 1.5 }]],
      [correlationMatrixJob, [{ window: 20 }, { window: 365 }], [{ window: 19 }, { window: 366 }]],
      [marketOverviewJob, [{}], [{ limit: 1 }]],
      [
        analysisJob(movers),
        [{ window: '30d' }, { rankBy: 'loss' }, { limit: 50 }],
        [{ window: '2d' }, { rankBy: 'size' }, { limit: 51 }, { minQuoteVolume: -1 }],
      ],
      [pairRelationshipJob, [{ window: 30 }, { window: 730 }], [{ window: 29 }, { window: 731 }]],
      [
        screenJob,
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
        portfolioRiskJob,
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
