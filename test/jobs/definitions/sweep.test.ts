import assert from 'node:assert/strict';
import type { SweepParams } from '../../../compute/backtest/sweep.js';
import { AppError } from '../../../compute/model/errors.js';
import { sweepTask } from '../../../compute/backtest/sweep.js';
import { runSweep } from '../../../jobs/definitions/sweep.js';
import { until } from '../../support/process/until.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const key = { market: 'csv', base: 'AAA', quote: 'USDT', interval: '1h' } as const;
const candles = randomCandles(24 * 100);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
const params: SweepParams = {
  strategy: 'ema_cross',
  grid: { fast: range(2, 22), slow: range(10, 31) },
  period: '3M',
  costs: { feeRate: 0.001, slippageRate: 0.0005 },
  rankBy: 'sharpe',
  keep: 10,
};

describe('a parameter sweep over the queue', () => {
  let service: TestService;
  let digest: string;
  before(async () => {
    service = await openTestService({ computeNodes: 2 });
    await service.storage.candles.add({ market: 'csv', base: 'AAA', quote: 'USDT' }, candles);
    digest = (await service.storage.series.find(key))!.digest;
  });
  after(() => service.close());

  const ask = (changed: Partial<SweepParams> = {}, signal?: AbortSignal) =>
    runSweep(
      service.deps.queues,
      { key, digest, params: { ...params, ...changed } },
      { traceId: 'test', ...(signal ? { signal } : {}) },
    );

  it('is in chunks what it is in one', async () => {
    const report = await ask();
    assert.equal(report.combinations, 20 * 21);
    const whole = sweepTask.run({
      candles,
      interval: '1h',
      params: { ...params, range: { from: 0, to: 420 } },
    });
    assert.deepEqual(report.values, whole.values);
    assert.deepEqual(report.best, whole.best);
    assert.equal(report.skipped, whole.skipped);
    assert.equal(report.skipped, report.values.filter((value) => value === null).length);
  });

  it('has one chunk for a strategy without parameters', async () => {
    const { combinations, best, grid } = await ask({ strategy: 'trend_state', grid: {} });
    assert.deepEqual([combinations, best.length, grid], [1, 1, {}]);
  });

  it('is refused before anything is queued when its grid is wrong', async () => {
    await assert.rejects(
      ask({ grid: { fast: range(2, 200), slow: range(3, 103) } }),
      (error) =>
        error instanceof AppError &&
        error.message.includes('at most 10000 combinations can be tried, found 19800'),
    );
  });

  it('ends as a whole when its caller leaves', async () => {
    const leaving = new AbortController();
    const asked = ask({ grid: { fast: range(2, 52), slow: range(60, 160) } }, leaving.signal);
    const cancelled = assert.rejects(
      asked,
      (error) => error instanceof AppError && error.code === 'cancelled',
    );
    await until('chunks that wait', () => service.deps.queues.waiterCount > 1);
    leaving.abort();
    await cancelled;
    const { combinations } = await ask({ grid: { fast: [3] } });
    assert.equal(combinations, 1);
  });
});
