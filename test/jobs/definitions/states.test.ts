import assert from 'node:assert/strict';
import { scanStates, type PairState } from '../../../compute/core-line/scan-states.js';
import { intervals, type Interval } from '../../../compute/model/interval.js';
import { analysisJob } from '../../../jobs/definitions/shared/analysis-job.js';
import { trendStateAnalysis } from '../../../compute/core-line/trend-states.js';
import type { TestService } from '../../support/gateway/gateway.js';
import { openTestMarket } from '../../support/candles/market.js';

const traceId = 'test';

describe('the jobs that tell trend states', () => {
  let service: TestService;

  before(async () => {
    ({ service } = await openTestMarket());
  });
  after(() => service.close());

  const scan = async (interval: Interval, assets: string[] | null): Promise<PairState[]> => {
    const payload = {
      market: 'csv',
      tradeMarket: 'USDT',
      interval,
      assets,
      version: '1',
      params: { state: null, sort: null, limit: null, cursor: null },
    } as const;
    return (await service.deps.queues.run(analysisJob(scanStates), payload, { traceId })).result.states;
  };

  /** What the chart of an asset says. */
  const chartOf = async (asset: string, interval: Interval) =>
    (await service.post('/backend/core-line/chart', { asset, interval })).payload as {
      state: string | null;
      since: string | null;
      price: number;
    };

  it('scan all pairs against a currency, and say what the charts say', async () => {
    for (const interval of ['1h', '4h'] as const) {
      const rows = await scan(interval, null);
      assert.deepEqual(
        rows.map(({ asset, tradeMarket }) => `${asset}/${tradeMarket}`),
        ['BTC/USDT', 'ETH/USDT', 'NEW/USDT'],
      );
      for (const { asset, state, since, price } of rows) {
        const chart = await chartOf(asset, interval);
        const sinceText = since === null ? null : new Date(since).toISOString();
        assert.deepEqual([state, sinceText, price], [chart.state, chart.since, chart.price], asset);
      }
      assert.deepEqual([rows[2].state, rows[2].lastFlip, rows[2].change24h], [null, null, null]);
    }
  });

  it('scan chosen pairs in the order asked for, and refuse one that is not stored', async () => {
    const rows = await scan('1h', ['NEW', 'BTC']);
    assert.deepEqual(
      rows.map(({ asset }) => asset),
      ['NEW', 'BTC'],
    );
    await assert.rejects(scan('1h', ['NOPE']), { code: 'invalid_input' });
  });

  it('give the states of an asset on three intervals, and their agreement', async () => {
    const pair = { market: 'csv', base: 'BTC', quote: 'USDT', version: '1', params: {} } as const;
    const { result } = await service.deps.queues.run(analysisJob(trendStateAnalysis), pair, { traceId });
    for (const [n, interval] of intervals.entries()) {
      const { state, price } = await chartOf('BTC', interval);
      const found = result.intervals[n];
      assert.deepEqual([found.interval, found.state, found.price], [interval, state, price]);
      assert.ok(found.atr! > 0);
    }
    assert.equal(result.agreement.known, 3);
  });

  it('have no state on an interval of which nothing is stored yet', async () => {
    const pair = { market: 'csv', base: 'NEW', quote: 'USDT', version: '1', params: {} } as const;
    const { result } = await service.deps.queues.run(analysisJob(trendStateAnalysis), pair, { traceId });
    const [hours, , days] = result.intervals;
    assert.deepEqual([hours.state, hours.price], [null, (await chartOf('NEW', '1h')).price]);
    assert.deepEqual([days.interval, days.state, days.price], ['1d', null, null]);
    assert.deepEqual([result.agreement.known, result.agreement.score], [0, null]);
  });
});
