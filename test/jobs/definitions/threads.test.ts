import assert from 'node:assert/strict';
import type { position } from '../../support/gateway/plans.js';
import type { Candles } from '../../../compute/model/candles.js';
import { dcaLadder } from '../../../compute/risk/dca-ladder.js';
import { performance } from '../../../compute/market/performance.js';
import { positionSize } from '../../../compute/risk/position-size.js';
import { recurringBuy } from '../../../compute/market/recurring-buy.js';
import { seasonality } from '../../../compute/market/seasonality.js';
import { tailRisk } from '../../../compute/risk/tail-risk.js';
import { targetProbability } from '../../../compute/risk/target-probability.js';
import { similarHistory } from '../../../compute/market/similar-history.js';
import type { PairCandles } from '../../../compute/task.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import type { JobTools } from '../../../jobs/job.js';
import { EncodedResult } from '../../../jobs/requests/encoded-result.js';
import { openPool, type ThreadPool } from '../../../jobs/node/pool.js';
import { SharedColumns } from '../../../jobs/node/series-version.js';
import type { SeriesKey } from '../../../storage/candles/series.js';
import { demoCandles } from '../../support/candles/demo-candles.js';

/** As a node keeps candles: views of memory that threads share, with room behind them. */
function shared(candles: Candles): Candles {
  const { length } = candles.time;
  return new SharedColumns(length + 100).append(0, [candles])!;
}

/** What whoever asked is given. */
const given = <Result>(found: Result | EncodedResult<Result>): unknown =>
  found instanceof EncodedResult ? JSON.parse(found.text) : found;

describe('jobs that ask a thread', () => {
  const run = () => ({ signal: new AbortController().signal, timings: {}, progress: () => undefined });
  const interval = '1d';
  const key: SeriesKey = { market: 'demo', base: 'SOL', quote: 'USDT', interval };
  const choice = { market: 'demo', tradeMarket: 'USDT', interval, assets: ['SOL', 'BTC'] } as const;
  let pool: ThreadPool;
  let pairs: PairCandles[];
  let tools: JobTools;

  before(() => {
    pool = openPool({ threads: 1, threadMemoryMb: 128 });
    pairs = (['SOL', 'BTC'] as const).map((asset) => ({
      asset,
      tradeMarket: 'USDT',
      candles: shared(demoCandles(`${asset}_USDT`, interval)),
    }));
    assert.ok(pairs.every(({ candles: { time } }) => time.byteLength < time.buffer.byteLength / 6));
    const stored = pairs.map(({ asset }) => ({ ...key, base: asset, digest: 'd' }));
    const candlesOf = (base: string) => pairs.find(({ asset }) => asset === base)!.candles;
    tools = {
      pool,
      candles: { get: async ({ base }: SeriesKey) => ({ candles: candlesOf(base) }) },
      storage: { series: { traded: async () => stored } },
    } as unknown as JobTools;
  });
  after(() => pool.close());

  /** What the task would be asked about the first pair. */
  const series = <Params>(params: Params) => ({ candles: pairs[0].candles, interval, params }) as const;
  const market = <Params>(params: Params) => ({ pairs, interval, params }) as const;

  it('hand it one series', async () => {
    const payload = <Params>(params: Params) => ({ key, digest: 'd', params });
    const buy = { amount: 9, every: 'week', period: '1y', onlyState: 'wait', feePercent: 1 } as const;
    const found = given(await analysisJob(recurringBuy).run(payload(buy), tools, run()));
    assert.deepEqual(found, recurringBuy.run(series(buy)));
    const by = { by: 'weekday' } as const;
    assert.deepEqual(
      given(await analysisJob(seasonality).run(payload(by), tools, run())),
      seasonality.run(series(by)),
    );
    const shape = { window: 30, matches: 10 };
    const similar = given(await analysisJob(similarHistory).run(payload(shape), tools, run()));
    assert.deepEqual(similar, similarHistory.run(series(shape)));
    const order = { side: 'long', entry: '100', target: '120', stop: '90', maxCandles: 60 } as const;
    const touched = given(await analysisJob(targetProbability).run(payload(order), tools, run()));
    assert.deepEqual(touched, targetProbability.run(series(order)));
  });

  it('hand it several pairs', async () => {
    const assets = { assets: ['SOL'] };
    const found = given(
      await analysisJob(performance).run(
        { ...choice, assets: [...choice.assets], version: '1', params: assets },
        tools,
        run(),
      ),
    );
    assert.deepEqual(found, performance.run(market(assets)));
    const basket = { weights: { BTC: 2, SOL: 1 }, lookbackDays: 365 };
    const risk = given(
      await analysisJob(tailRisk).run({ ...choice, version: '1', params: basket }, tools, run()),
    );
    assert.deepEqual(risk, tailRisk.run(market(basket)));
  });

  it('hand it parameters alone', async () => {
    const order: typeof position = {
      ...{ asset: null, exchange: null, tradeMarket: 'USDT' },
      ...{ accountSize: '1000', riskPercent: '1', entry: '100', stop: '90', leverage: '3', step: '0.001' },
      ...{ side: 'long', marginType: 'CROSS', tick: null, minNotional: null },
      ...{ feePercent: '0.1', maintenanceMarginPercent: '0.5' },
    };
    const found = given(await analysisJob(positionSize).run({ params: order }, tools, run()));
    assert.deepEqual(found, positionSize.run({ params: order }));
    const ladder = {
      ...{ firstPrice: '100', firstAmount: '50', levels: [{ buyPrice: '90', multiplier: '2' }] },
      ...{ stop: '80', feePercent: '0.1', step: '0.001' },
    };
    assert.deepEqual(
      given(await analysisJob(dcaLadder).run({ params: ladder }, tools, run())),
      dcaLadder.run({ params: ladder }),
    );
    await assert.rejects(analysisJob(positionSize).run({ params: { ...order, stop: '101' } }, tools, run()), {
      code: 'invalid_input',
      details: { field: 'stop' },
    });
  });
});
