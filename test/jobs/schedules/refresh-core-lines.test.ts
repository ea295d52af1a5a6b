import assert from 'node:assert/strict';
import { coreLineBasis } from '../../../jobs/definitions/core-line.js';
import { refreshCoreLinesSchedule } from '../../../jobs/schedules/refresh-core-lines.js';
import { openTestMarket, type TestMarket } from '../../support/candles/market.js';
import { withNextCandle } from '../../support/candles/next-candle.js';
import { scheduleToolsOf } from '../../support/jobs/schedule-tools.js';

describe('the schedule that refreshes core lines', function () {
  this.timeout(60_000);
  let market: TestMarket;
  before(async () => (market = await openTestMarket()));
  after(() => market.service.close());
  const run = (signal = new AbortController().signal) =>
    refreshCoreLinesSchedule.run(scheduleToolsOf(market.service), signal);

  it('computes every series, so that a chart is read without a job', async () => {
    const { service } = market;
    const { storage } = service;
    const series = await storage.series.list('csv');
    assert.equal(await run(), `${series.length} of ${series.length} core lines computed`);
    for (const each of series)
      assert.equal((await storage.coreLines.chart(each))?.basis, coreLineBasis(each.digest));
    const answer = await service.post('/backend/core-line/chart', { asset: 'BTC', interval: '4h' });
    assert.deepEqual([answer.status, answer.headers.get('server-timing')], [200, null]);
  });

  it('computes only what a new candle has overtaken', async () => {
    const { storage } = market.service;
    const count = (await storage.series.list('csv')).length;
    assert.equal(await run(), `0 of ${count} core lines computed`);
    await storage.candles.add({ market: 'csv', base: 'BTC', quote: 'USDT' }, withNextCandle(market.btc, 100));
    // Of the three intervals only 1h has a candle that is over.
    assert.equal(await run(), `1 of ${count} core lines computed`);
    assert.equal(await run(), `0 of ${count} core lines computed`);
  });

  it('ends when it is told to', async () => {
    await market.service.storage.coreLines.put(
      { market: 'csv', base: 'BTC', quote: 'USDT', interval: '1d' },
      { basis: 'old', view: (await market.service.storage.coreLines.chart(key))!.view as never },
    );
    await assert.rejects(run(AbortSignal.abort()), { code: 'cancelled' });
  });
});

const key = { market: 'csv', base: 'BTC', quote: 'USDT', interval: '1d' } as const;
