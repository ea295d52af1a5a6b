import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import type { ListRunsOutput } from '../../../../gateway/operations/research/research-runs.js';
import type { ResearchResult } from '../../../../jobs/definitions/research-backtest.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import type { TestAnswer, TestService } from '../../../support/gateway/gateway.js';

const path = '/backend/research/runs';
const strategy = {
  long: { entry: { left: 'ema_10', op: '>', right: 'ema_50' }, stopLoss: { percent: 3 } },
  short: { entry: { left: 'rsi_14', op: '>', right: 70 }, maxCandles: 9 },
};

describe('stored runs of rules', () => {
  let service: TestService;
  before(async () => ({ service } = await openTestMarket()));
  after(() => service.close());

  const ask = async (token: string, place = '', method = 'GET'): Promise<TestAnswer> => {
    const answer = await fetch(service.url + path + place, { method, headers: { 'session-token': token } });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  const run = async (token: string, more: object = {}) => {
    const body = { strategy, asset: 'BTC', interval: '1h', ...more };
    const { payload } = await service.post('/backend/research/backtest', body, { 'session-token': token });
    return payload as unknown as ResearchResult;
  };
  const list = async (token: string, query = '') =>
    (await ask(token, query)).payload as unknown as ListRunsOutput;

  it('are listed with what was asked and the key figures, and answered again field by field', async () => {
    const token = await service.signIn();
    const first = await run(token);
    const second = await run(token, {
      ...{ strategy: 'ema_cross', params: { fast: 5 }, feePercent: 0.2 },
      ...{ asset: undefined, assets: ['BTC', 'ETH'], interval: '4h' },
    });
    const { runs, nextCursor } = await list(token);
    assert.deepEqual([runs.map(({ id }) => id), nextCursor], [[second.id, first.id], null]);
    const { createdAt, expiresAt, ...entry } = runs[0];
    const { id, strategyHash, params, assets, interval, tradeMarket, source, window } = second;
    const { totalReturn, winRate, sharpe, maxDrawdown, tradeCount, profitFactor } = second;
    assert.deepEqual(entry, {
      ...{ id, strategy: 'ema_cross', strategyHash, params, assets, interval, tradeMarket, source, window },
      ...{ feePercent: 0.2, slippagePercent: 0.05 },
      ...{ totalReturn, winRate, sharpe, maxDrawdown, tradeCount, profitFactor },
    });
    assert.deepEqual([params.fast, runs[1].strategy], [5, null]);
    assert.deepEqual((await ask(token, `/${id}`)).payload, { ...second, createdAt, expiresAt });
    const page = await list(token, '?limit=1');
    assert.deepEqual((await list(token, `?limit=1&cursor=${page.nextCursor}`)).runs, [runs[1]]);
  });

  it('give their trades and equity as CSV files', async () => {
    const token = await service.signIn();
    const ran = await run(token);
    const rows = async (name: string) => {
      const place = `${service.url}${path}/${ran.id}/${name}.csv`;
      const answer = await fetch(place, { headers: { 'session-token': token } });
      const disposition = `attachment; filename="run-${ran.id.slice(0, 12)}-${name}.csv"`;
      assert.equal(answer.headers.get('content-disposition'), disposition);
      return parse(await answer.text(), { columns: true }) as unknown as Record<string, string>[];
    };
    assert.ok(ran.trades.length > 10);
    const texts = ran.trades.map((trade) =>
      Object.fromEntries(Object.entries(trade).map(([name, value]) => [name, String(value)])),
    );
    assert.deepEqual(await rows('trades'), texts);
    assert.deepEqual(
      (await rows('equity')).map(({ time, value }) => [Date.parse(time) / 1_000, Number(value)]),
      ran.equity.map(({ time, value }) => [time, value]),
    );
  });

  it('say how much of their result luck could be, of the same trades', async () => {
    const [token, other] = [await service.signIn(), await service.signIn()];
    const ran = await run(token, { from: '2024-03-01', to: '2024-08-01' });
    const luck = (asker: string, body: object) =>
      service.post(`${path}/${ran.id}/monte-carlo`, body, { 'session-token': asker });
    const { status, payload } = await luck(token, { paths: 400, seed: 7 });
    assert.equal(status, 200, JSON.stringify(payload));
    const { trades, candles, window, randomEntries, randomEntriesReason, notes } = payload as never as {
      trades: { steps: number; totalReturn: { p5: number; p50: number; p95: number } };
      candles: { steps: number };
      window: object;
      randomEntries: null;
      randomEntriesReason: string;
      notes: string[];
    };
    assert.deepEqual([trades.steps, candles.steps], [ran.tradeCount, ran.candles - 1]);
    assert.deepEqual([window, notes], [ran.window, []]);
    assert.ok(trades.totalReturn.p5 < ran.totalReturn! && ran.totalReturn! < trades.totalReturn.p95);
    assert.equal(randomEntries, null);
    assert.match(randomEntriesReason, /^trades of own rules have sizes/);
    assert.deepEqual((await luck(token, { paths: 400, seed: 7 })).payload, payload);
    assert.equal((await luck(other, {})).status, 404);
    assert.equal((await luck(token, { paths: 1 })).result.type, 'INVALID_INPUT_PATHS');
  });

  it('are deleted by their user, and unknown to others and among built-in backtests', async () => {
    const [token, other] = [await service.signIn(), await service.signIn()];
    const { id } = await run(token);
    const unknown = { status: 404, type: 'INVALID_INPUT_ID', field: 'id' };
    for (const method of ['GET', 'DELETE']) assertRefused(await ask(other, `/${id}`, method), unknown);
    const backtests = await fetch(`${service.url}/backend/backtests/${id}`, {
      headers: { 'session-token': token },
    });
    assert.equal(backtests.status, 404);
    assert.deepEqual((await ask(token, `/${id}`, 'DELETE')).payload, { id });
    assertRefused(await ask(token, `/${id}`), unknown);
    assert.deepEqual(await list(token), { runs: [], nextCursor: null });
  });
});
