import assert from 'node:assert/strict';
import type { ResearchResult } from '../../../../jobs/definitions/research-backtest.js';
import type { ResearchSweepReport } from '../../../../jobs/definitions/sweep-rules.js';
import type { WalkForwardReport } from '../../../../compute/backtest/walk-forward.js';
import { openTestMarket } from '../../../support/candles/market.js';
import type { TestService } from '../../../support/gateway/gateway.js';

const strategy = {
  params: {
    fast: { default: 10, min: 5, max: 50, step: 5 },
    stop: { default: 2, min: 1, max: 4, step: 0.5 },
  },
  long: {
    entry: { left: 'ema_{fast}', op: '>', right: 'ema_50' },
    exit: { left: 'ema_{fast}', op: '<', right: 'sma_20@4h' },
    stopLoss: { atr: '{stop}' },
  },
  short: { entry: { left: 'rsi_14', op: '>', right: 75 }, maxCandles: 20, stopLoss: { percent: 3 } },
};
const base = { strategy, asset: 'BTC', interval: '1h', from: '2024-02-01', to: '2024-12-01' };
const figures = [
  'totalReturn',
  'sharpe',
  'maxDrawdown',
  'winRate',
  'tradeCount',
  'calmar',
  'exposure',
] as const;

describe('research that tries combinations, over HTTP', () => {
  let service: TestService;
  let token: string;
  const ask = async <Payload>(path: string, body: object) => {
    const answer = await service.post(`/backend/research/${path}`, body, { 'session-token': token });
    assert.equal(answer.status, 200, JSON.stringify(answer.payload));
    return answer.payload as unknown as Payload;
  };
  const single = (params: object, { from, to }: { from: string; to: string }) =>
    ask<ResearchResult>('backtest', { ...base, from, to, params });

  before(async () => ({ service, token } = await openTestMarket()));
  after(() => service.close());

  it('reports rows that equal single backtests of its window, each checked for look-ahead', async () => {
    const grid = { fast: [5, 10, 45], stop: [1, 2.5] };
    const swept = await ask<ResearchSweepReport>('sweep', { ...base, grid, keep: 4, rankBy: 'totalReturn' });
    assert.deepEqual(
      [swept.combinations, swept.complete, swept.done, swept.values.length, swept.best.length, swept.checked],
      [6, true, 6, 6, 4, 4],
    );
    for (const row of swept.best) {
      const alone = await single(row.params, swept.window);
      for (const name of figures) assert.equal(row[name], alone[name], name);
      assert.equal(swept.values[row.index], row.totalReturn);
      assert.deepEqual(alone.window, swept.window);
    }
  });

  it('draws combinations by a seed, equal ones once, within ranges and steps', async () => {
    const random = { samples: 120, seed: 7 };
    const swept = await ask<ResearchSweepReport>('sweep', { ...base, random, keep: 200 });
    assert.ok(swept.combinations < 70 && swept.combinations > 30);
    const tried = swept.best.map(({ params }) => JSON.stringify(params));
    assert.equal(new Set(tried).size, tried.length);
    assert.ok(
      swept.best.every(({ params }) => params.fast % 5 === 0 && params.fast >= 5 && params.fast <= 50),
    );
    const again = await ask<ResearchSweepReport>('sweep', { ...base, random, keep: 200 });
    assert.deepEqual(again.values, swept.values);
  });

  it('walks forward: each test equals the single backtest of its window', async () => {
    const grid = { fast: [5, 20], stop: [1, 3] };
    const walked = await ask<WalkForwardReport>('walk-forward', { ...base, grid, folds: 3 });
    assert.equal(walked.combinations, 4);
    for (const { params, outOfSample, inSample } of walked.folds)
      for (const stretch of [outOfSample, inSample]) {
        const alone = await single(params, stretch);
        for (const name of figures) assert.equal(stretch[name], alone[name], name);
      }
    assert.equal(walked.folds[2].outOfSample.to, '2024-12-01T00:00:00.000Z');
  });

  const refusals: [body: object, type: string, message: string][] = [
    [{ grid: { fast: [99] } }, 'GRID', '"fast" must lie between 5 and 50 in steps of 5, found 99'],
    [{ grid: { slow: [9] } }, 'GRID', 'the strategy has no parameter "slow"; it has fast, stop'],
    [{ grid: {}, random: { samples: 2, seed: 1 } }, 'RANDOM', 'expected "grid" or "random", found both'],
  ];
  for (const [body, type, message] of refusals)
    it(`refuses: ${message}`, async () => {
      const answer = await service.post(
        '/backend/research/sweep',
        { ...base, ...body },
        { 'session-token': token },
      );
      assert.equal(answer.result.type, `INVALID_INPUT_${type}`);
      assert.equal((answer.payload as { message: string }).message, message);
    });
});
