import assert from 'node:assert/strict';
import { overLimit } from '../../../jobs/job.js';
import { runRuleSweep, type ResearchSweepRequest } from '../../../jobs/definitions/sweep-rules.js';
import type { JobClient } from '../../../jobs/requests/job-client.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { plainSettings } from '../../support/rules/run-rules.js';

const key = { market: 'csv', base: 'AAA', quote: 'USDT', interval: '1h' } as const;
const combinations = Array.from({ length: 120 }, (_, n) => ({ slow: 11 + n }));
const strategy = {
  params: { slow: { default: 50, min: 11, max: 200 } },
  long: {
    entry: { left: 'ema_10', op: '>', right: 'ema_{slow}' },
    exit: { left: 'ema_10', op: '<', right: 'ema_{slow}' },
  },
};

describe('a sweep of rules at its time limit', () => {
  let service: TestService;
  let request: ResearchSweepRequest;
  before(async () => {
    service = await openTestService();
    const candles = randomCandles(3_000);
    await service.storage.candles.add({ market: 'csv', base: 'AAA', quote: 'USDT' }, candles);
    const settings = { ...plainSettings, fromMs: candles.time[200] };
    const { digest } = (await service.storage.series.find(key))!;
    request = { asset: 'AAA', key, digest, strategy, settings, combinations };
  });
  after(() => service.close());

  /** The sweep where the limit leaves out the parts that `isLate`. */
  const ask = (isLate: (part: object) => boolean) => {
    const { queues } = service.deps;
    const late: Pick<JobClient, 'run' | 'runAll'> = {
      run: (...given) => queues.run(...given),
      runAll: (job, payloads, options) => {
        const inTime = payloads.filter((each) => !isLate((each as { params: object }).params));
        if (inTime.length === 0) return Promise.reject(overLimit(job.name, 60_000));
        return queues.runAll(job, inTime, options);
      },
    };
    return runRuleSweep(late, request, { rankBy: 'sharpe', keep: 4 }, { traceId: 'test' });
  };
  const isCheck = (part: object) => (part as { checkSeed: number | null }).checkSeed !== null;

  it('answers with what is done, whichever parts they are, and with the rows that it checked', async () => {
    const whole = await ask(() => false);
    assert.deepEqual([whole.complete, whole.done, whole.checked, whole.notes], [true, 120, 4, []]);
    const part = await ask((each) => (each as { first: number }).first === 0 && !isCheck(each));
    assert.deepEqual([part.complete, part.combinations, part.done, part.checked], [false, 120, 70, 4]);
    assert.deepEqual(part.values, [...Array<null>(50).fill(null), ...whole.values.slice(50)]);
    assert.deepEqual(part.notes, ['at the time limit 70 of 120 combinations were tried']);
    assert.deepEqual([part.window, part.luckiestSharpe], [whole.window, whole.luckiestSharpe]);
    const ranked = part.values.filter((value) => value !== null).sort((a, b) => b - a);
    assert.deepEqual(
      part.best.map(({ sharpe }) => sharpe),
      ranked.slice(0, 4),
    );
  });

  it('answers where no row is checked, and says so', async () => {
    const { complete, best, checked, notes } = await ask(isCheck);
    assert.deepEqual([complete, best.length, checked], [true, 4, 0]);
    assert.deepEqual(notes, ['the time limit left 4 of 4 rows unchecked for look-ahead']);
  });

  it('fails where nothing is done', async () => {
    await assert.rejects(
      ask((each) => !isCheck(each)),
      { code: 'time_limit' },
    );
  });
});
