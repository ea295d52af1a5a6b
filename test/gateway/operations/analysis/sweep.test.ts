import assert from 'node:assert/strict';
import { roundFigures } from '../../../../compute/model/round-figures.js';
import { runSweep } from '../../../../jobs/definitions/sweep.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';

const grid = { fast: [5, 12, 30], slow: [8, 20, 30] };
const settings = { strategy: 'ema_cross', period: '3M', rankBy: 'totalReturn', keep: 4 } as const;

describe('POST /backend/analysis/sweep', () => {
  let service: TestService;
  let token: string;
  const ask = (body: object, headers: Record<string, string> = { 'session-token': token }) =>
    service.post('/backend/analysis/sweep', body, headers);

  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  it('answers what the sweep answers, with the candles it rests on', async () => {
    const key = { market: 'csv', base: 'BTC', quote: 'USDT', interval: '1h' } as const;
    const { digest } = (await service.storage.series.find(key))!;
    const params = { ...settings, grid, costs: { feeRate: 0.002, slippageRate: 0.001 } };
    const report = await runSweep(service.deps.queues, { key, digest, params }, { traceId: 'test' });
    const body = { asset: 'BTC', interval: '1h', ...settings, grid, feePercent: 0.2, slippagePercent: 0.1 };
    const { payload, result } = await ask(body);
    const expected = {
      ...{ asset: 'BTC', interval: '1h', tradeMarket: 'USDT', source: 'csv' },
      ...{ feePercent: 0.2, feeReason: 'as given in feePercent' },
      ...report,
    };
    assert.deepEqual(payload, roundFigures(expected));
    assert.deepEqual([report.combinations, report.skipped, report.best.length], [9, 4, 4]);
    assert.ok(result.ttl! > 0);
  });

  it('skips combinations that the strategy does not allow', async () => {
    const { payload } = await ask({
      asset: 'BTC',
      interval: '1h',
      ...settings,
      grid: { fast: [50, 5], slow: [20] },
    });
    const { skipped, best, values } = payload as { skipped: number; best: object[]; values: unknown[] };
    assert.deepEqual([skipped, best.length, values.length, values[0]], [1, 1, 2, null]);
  });

  it('refuses values that the strategy lacks, too many combinations, and guests', async () => {
    const refused = async (given: object) => (await ask({ asset: 'BTC', ...settings, ...given })).result.type;
    assert.equal(await refused({ grid: { quick: [3] } }), 'INVALID_INPUT_GRID');
    const many = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
    assert.equal(await refused({ grid: { fast: many(2, 150), slow: many(100, 150) } }), 'INVALID_INPUT_GRID');
    assert.equal((await ask({ asset: 'BTC' }, {})).status, 401);
  });
});
