import assert from 'node:assert/strict';
import { randomCandles } from '../../../support/candles/random-candles.js';
import { askForEvents } from '../../../support/gateway/event-answer.js';
import { openTestService, type TestService } from '../../../support/gateway/gateway.js';
import { openJobs } from '../../../support/jobs/open-jobs.js';
import { until } from '../../../support/process/until.js';

const upTo = (count: number) => Array.from({ length: count }, (_, n) => 2 + n);
const span = { default: 10, min: 2, max: 400 };
/** Rules of many columns: each combination takes a thread some milliseconds. */
const strategy = {
  params: { fast: span, slow: span },
  long: {
    entry: {
      any: ['sma', 'ema', 'wma', 'rsi'].map((name) => ({
        left: `${name}_{fast}`,
        op: '>',
        right: `${name}_{slow}`,
      })),
    },
    exit: { left: 'close', op: '<', right: 'ema_{fast}' },
  },
};
const base = { strategy, asset: 'LONG', interval: '1h' };
const searches = {
  sweep: { ...base, grid: { fast: upTo(25), slow: upTo(40) } },
  'walk-forward': { ...base, grid: { fast: upTo(20), slow: upTo(25) }, folds: 8 },
};

describe('research that takes long', function () {
  this.timeout(60_000);
  let service: TestService;
  let token: string;
  before(async () => {
    service = await openTestService({ env: { THREADS: '1' } });
    await service.storage.candles.add({ market: 'csv', base: 'LONG', quote: 'USDT' }, randomCandles(20_000));
    token = await service.signIn();
  });
  after(() => service.close());

  const ask = (path: string, body: object) =>
    askForEvents({
      url: `${service.url}/backend/research/${path}`,
      body,
      headers: { 'session-token': token },
    });
  const ended = async () => {
    await until('no waiting call', () => service.deps.queues.waiterCount === 0);
    await until('no job', async () => (await openJobs(service.deps.redis, 'backtest')) === 0);
  };

  for (const [path, body] of Object.entries(searches))
    it(`ends a ${path}, and a backtest that waits behind it, when the client leaves`, async () => {
      const search = await ask(path, body);
      await until('progress', () => search.events.some(({ data }) => data.fraction > 0));
      const before = service.deps.queues.waiterCount;
      const backtest = await ask('backtest', base);
      await until('the backtest', () => service.deps.queues.waiterCount > before);
      backtest.leave();
      await until('the backtest', () => service.deps.queues.waiterCount <= before);
      const results = await service.deps.redis.hlen('tidemark:results');
      search.leave();
      await ended();
      // Neither was computed to its end.
      assert.equal(await service.deps.redis.hlen('tidemark:results'), results);
    });
});
