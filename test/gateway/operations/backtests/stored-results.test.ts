import assert from 'node:assert/strict';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { accountUser, type AccountUser } from '../../../support/gateway/account-user.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';

const path = '/backend/backtest-result';

interface Report {
  id: string;
  trades: { return: number }[];
  equity: { time: number; value: number }[];
  [name: string]: unknown;
}

describe('the results of stored backtests', () => {
  let service: TestService;
  before(async () => void ({ service } = await openTestMarket()));
  after(() => service.close());

  const run = async (user: AccountUser, more: object = {}): Promise<Report> => {
    const { payload, status } = await user.post('/backend/core-line/backtest', {
      ...{ asset: 'BTC', strategy: 'ema_cross', interval: '4h', params: { fast: 5, slow: 12 } },
      ...more,
    });
    assert.equal(status, 200);
    return payload as Report;
  };

  it('are listed without an id, the newest first and page by page', async () => {
    const user = await accountUser(service);
    assert.deepEqual((await user.get(path)).payload.runs, []);
    const ids = [];
    for (const feePercent of [0, 0.1, 0.2]) ids.unshift((await run(user, { feePercent })).id);
    const first = (await user.get(`${path}?limit=2`)).payload;
    const second = (await user.get(`${path}?limit=2&cursor=${first.nextCursor as string}`)).payload;
    assert.deepEqual([first.section, first.runs.length, second.nextCursor], ['runs', 2, null]);
    assert.deepEqual(
      [...first.runs, ...second.runs].map(({ id }: { id: string }) => id),
      ids,
    );
  });

  it('have a summary without trades and curve', async () => {
    const user = await accountUser(service);
    const { trades, equity, ...report } = await run(user);
    const { payload } = await user.get(`${path}?backtestId=${report.id}`);
    const { summary, ...rest } = payload;
    const { createdAt, expiresAt, feePercent, slippagePercent, ...shown } = summary;
    assert.deepEqual(shown, report);
    assert.deepEqual([feePercent, slippagePercent], [0.1, 0.05]);
    assert.ok(Date.parse(createdAt as string) < Date.parse(expiresAt as string));
    assert.deepEqual(rest, {
      ...{ section: 'summary', runs: [], trades: [], equity: [], total: null, nextCursor: null },
    });
    assert.ok(trades.length > 0 && equity.length > 0);
  });

  for (const section of ['trades', 'equity'] as const)
    it(`have pages of ${section} without gaps and repeats`, async () => {
      const user = await accountUser(service);
      const report = await run(user);
      const seen: unknown[] = [];
      let cursor: string | null = null;
      do {
        const at: string = cursor === null ? '' : `&cursor=${cursor}`;
        const asked = `${path}?backtestId=${report.id}&section=${section}&limit=7${at}`;
        const { payload } = await user.get(asked);
        assert.equal(payload.total, report[section].length);
        seen.push(...(payload[section] as unknown[]));
        cursor = payload.nextCursor as string | null;
      } while (cursor !== null);
      assert.deepEqual(seen, report[section]);
    });

  it('are resampled with the settings, costs and window of the backtest', async () => {
    const user = await accountUser(service);
    const report = await run(user, { feePercent: 0.3, slippagePercent: 0.1 });
    const place = `/backend/backtests/${report.id}/monte-carlo`;
    const { status, payload } = await user.post(place, { paths: 300, seed: 7 });
    assert.equal(status, 200);
    const { payload: direct } = await user.post('/backend/analysis/monte-carlo', {
      ...{ asset: 'BTC', interval: '4h', strategy: 'ema_cross', params: { fast: 5, slow: 12 } },
      ...{ feePercent: 0.3, slippagePercent: 0.1, paths: 300, seed: 7 },
    });
    assert.deepEqual(
      [payload.trades, payload.candles, payload.randomEntries],
      [direct.trades, direct.candles, direct.randomEntries],
    );
    assert.equal(payload.trades.steps, report.trades.length);
    // The return of the trades as they were is what the stored returns make when each follows on the one before.
    const chained = report.trades.reduce((worth, trade) => worth * (1 + trade.return / 100), 1);
    assert.ok(Math.abs(payload.randomEntries.actual - (chained - 1) * 100) < 0.01);
    assert.deepEqual([payload.id, payload.paths, payload.seed], [report.id, 300, 7]);
  });

  it('are resampled in the window of the backtest after the market has gone on', async () => {
    const user = await accountUser(service);
    const report = await run(user, { asset: 'ETH', interval: '1h', period: '3M' });
    const place = `/backend/backtests/${report.id}/monte-carlo`;
    const before = (await user.post(place, { paths: 200 })).payload;
    const pair = { market: 'csv', base: 'ETH', quote: 'USDT' };
    const stored = (await service.storage.series.find({ ...pair, interval: '1h' }))!;
    const hours = Array.from({ length: 48 }, (_, n) => stored.last + (n + 1) * 3_600_000);
    const column = (value: number) => Float64Array.from(hours, (_, n) => value * (1 + (n % 5) / 10));
    await service.storage.candles.add(pair, {
      time: Float64Array.from(hours),
      ...{ open: column(200), high: column(300), low: column(100), close: column(210), volume: column(5) },
    });
    const after = (await user.post(place, { paths: 200 })).payload;
    assert.deepEqual(after, before);
    const again = await run(user, { asset: 'ETH', interval: '1h', period: '3M' });
    assert.notEqual(again.id, report.id);
  });

  it('are resampled without a body, and never another one than the path names', async () => {
    const user = await accountUser(service);
    const [report, other] = [await run(user), await run(user, { feePercent: 0.3 })];
    const place = `/backend/backtests/${report.id}/monte-carlo`;
    const headers = { 'session-token': user.token };
    const bare = await fetch(service.url + place, { method: 'POST', headers });
    assert.equal(bare.status, 200);
    assert.equal(((await bare.json()) as { payload: Report }).payload.id, report.id);
    assert.equal((await user.post(place, { id: report.id, paths: 200 })).payload.id, report.id);
    const { status, payload } = await user.post(place, { id: other.id });
    assert.deepEqual([status, payload.field], [400, 'id']);
  });

  it('are unknown to other users', async () => {
    const [owner, other] = [await accountUser(service), await accountUser(service)];
    const { id } = await run(owner);
    const refusal = { status: 404, type: 'UNKNOWN_BACKTEST' };
    assert.equal((await other.get(`${path}?backtestId=${id}`)).status, refusal.status);
    assert.equal((await other.post(`/backend/backtests/${id}/monte-carlo`, {})).status, refusal.status);
    assert.deepEqual((await other.get(path)).payload.runs, []);
    assert.equal((await fetch(service.url + path)).status, 401);
  });

  for (const [query, field] of [
    ['backtestId=1', 'backtestId'],
    ['section=all', 'section'],
    ['limit=201', 'limit'],
    ['cursor=x', 'cursor'],
    ['userId=x', 'userId'],
  ])
    it(`refuse ${query}`, async () => {
      const user = await accountUser(service);
      const { status, payload } = await user.get(`${path}?${query}`);
      assert.deepEqual([status, payload.field], [400, field]);
    });

  for (const [name, value] of [
    ['paths', 199],
    ['paths', 10_001],
    ['seed', -1],
    ['until', '2024-01-01T00:00:00.000Z'],
  ] as const)
    it(`are not resampled with ${name} ${value}`, async () => {
      const user = await accountUser(service);
      const answer = await user.post(`/backend/backtests/${'0'.repeat(64)}/monte-carlo`, { [name]: value });
      assertRefused(answer, {
        status: 400,
        type: name === 'until' ? 'INVALID_INPUT_CONTENT' : `INVALID_INPUT_${name.toUpperCase()}`,
        field: name,
      });
    });
});
