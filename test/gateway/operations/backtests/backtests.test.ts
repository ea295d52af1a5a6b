import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { createGateway } from '../../../../gateway/app.js';
import { openDeps } from '../../../../gateway/open-deps.js';
import type { ListBacktestsOutput } from '../../../../gateway/operations/backtests/stored-backtests.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { askForEvents } from '../../../support/gateway/event-answer.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import type { TestAnswer, TestService } from '../../../support/gateway/gateway.js';
import { numberedBacktest, numberedId } from '../../../support/backtests/numbered-backtests.js';
import { listenLocally } from '../../../support/servers/listen-locally.js';
import { until } from '../../../support/process/until.js';

const runPath = '/backend/core-line/backtest';
const listPath = '/backend/backtests';
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

/** A backtest of which its user has made nothing yet. */
const unmarked = { name: null, note: null, isKept: false, share: null };

describe('backtests that a user has run', function () {
  this.timeout(30_000);
  let service: TestService;
  before(async () => {
    ({ service } = await openTestMarket());
  });
  after(() => service.close());

  const ask = async (
    method: string,
    path: string,
    token?: string,
    url = service.url,
  ): Promise<TestAnswer> => {
    const headers: Record<string, string> = token === undefined ? {} : { 'session-token': token };
    const answer = await fetch(url + path, { method, headers });
    const { result, payload } = (await answer.json()) as Pick<TestAnswer, 'result' | 'payload'>;
    return { status: answer.status, headers: answer.headers, result, payload };
  };
  const run = async (token: string, more: object = {}) =>
    (await service.post(runPath, { asset: 'BTC', ...more }, { 'session-token': token })).payload as {
      id: string;
      trades: Record<string, unknown>[];
      equity: { time: number; value: number }[];
    } & Record<string, unknown>;
  const list = async (token: string, query = '') =>
    (await ask('GET', listPath + query, token)).payload as ListBacktestsOutput;

  it('are answered again by their id, field by field', async () => {
    const token = await service.signIn();
    const ran = await run(token, { interval: '4h', strategy: 'ema_cross', params: { fast: 5 } });
    const { status, headers, result, payload } = await ask('GET', `${listPath}/${ran.id}`, token);
    const { createdAt, expiresAt, name, note, isKept, share, ...report } = payload as Record<string, unknown>;
    assert.deepEqual({ name, note, isKept, share }, unmarked);
    assert.deepEqual([status, result], [200, { type: 'OPERATION_PERFORMED' }]);
    assert.equal(JSON.stringify(report), JSON.stringify(ran));
    assert.equal(headers.get('cache-control'), 'no-store');
    const keptMs = Date.parse(String(expiresAt)) - Date.parse(String(createdAt));
    assert.equal(keptMs, 90 * 86_400_000);
    assert.ok(Math.abs(Date.parse(String(createdAt)) - Date.now()) < 60_000);
  });

  it('are listed, the newest first, with what was asked and the key figures', async () => {
    const token = await service.signIn();
    const first = await run(token);
    const second = await run(token, { feePercent: 0.2, strategy: 'buy_and_hold', period: '3M' });
    const { backtests, nextCursor } = await list(token);
    assert.equal(nextCursor, null);
    assert.deepEqual(
      backtests.map(({ id }) => id),
      [second.id, first.id],
    );
    const { createdAt, expiresAt, ...entry } = backtests[0];
    assert.ok(createdAt < expiresAt);
    const { asset, interval, tradeMarket, period, strategy, params, source, window } = second;
    const { totalReturn, winRate, sharpe, maxDrawdown, tradeCount, profitFactor } = second;
    assert.deepEqual(entry, {
      ...{ id: second.id, asset, interval, tradeMarket, period, strategy, params, source },
      ...{ feePercent: 0.2, slippagePercent: 0.05, window },
      ...{ totalReturn, winRate, sharpe, maxDrawdown, tradeCount, profitFactor },
      ...unmarked,
    });
  });

  it('are one entry, however often and by however many ways they are run', async () => {
    const token = await service.signIn();
    const first = await run(token);
    await Promise.all(upTo(20).map(() => run(token)));
    const streamed = await askForEvents({
      url: service.url + runPath,
      body: { asset: 'BTC' },
      headers: { 'session-token': token },
    });
    await streamed.ended;
    assert.deepEqual(
      (await list(token)).backtests.map(({ id }) => id),
      [first.id],
    );
    const other = await run(token, { asset: 'ETH' });
    await run(token);
    assert.deepEqual(
      (await list(token)).backtests.map(({ id }) => id),
      [first.id, other.id],
    );
  });

  it('of an event stream are stored as all others', async () => {
    const token = await service.signIn();
    const streamed = await askForEvents({
      url: service.url + runPath,
      body: { asset: 'BTC', feePercent: 0.33 },
      headers: { 'session-token': token },
    });
    await streamed.ended;
    const { id } = streamed.events.at(-1)!.data.body.payload as { id: string };
    assert.equal((await ask('GET', `${listPath}/${id}`, token)).payload.id, id);
  });

  it('are seen at other gateways, too', async () => {
    const token = await service.signIn();
    const { settings, redisUrl, mongodbUrl, deps } = service;
    const other = await openDeps({ settings, redisUrl, mongodbUrl, log: deps.log });
    const server = createGateway(other.deps);
    const url = await listenLocally(server);
    const { id } = await run(token, { feePercent: 0.44 });
    await until('the report', async () => (await ask('GET', `${listPath}/${id}`, token, url)).status === 200);
    assert.equal((await ask('DELETE', `${listPath}/${id}`, token, url)).status, 200);
    assert.equal((await ask('GET', `${listPath}/${id}`, token)).status, 404);
    server.closeAllConnections();
    server.close();
    await other.close();
  });

  it('come in pages by cursor', async () => {
    const token = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(token))!;
    await service.storage.backtests.add(upTo(25).map((n) => numberedBacktest(userId, n)));
    const found: string[] = [];
    let cursor: string | null = null;
    const sizes: number[] = [];
    do {
      const page = await list(token, cursor === null ? '?limit=10' : `?limit=10&cursor=${cursor}`);
      found.push(...page.backtests.map(({ id }) => id));
      sizes.push(page.backtests.length);
      cursor = page.nextCursor;
    } while (cursor !== null);
    assert.deepEqual(sizes, [10, 10, 5]);
    assert.deepEqual(
      found,
      upTo(25).map((n) => numberedId(24 - n)),
    );
    assert.equal((await list(token)).backtests.length, 20);
  });

  it('give their trades and equity as CSV files', async () => {
    const token = await service.signIn();
    const ran = await run(token, { interval: '1h', period: '3M' });
    const file = async (name: string) => {
      const headers = { 'session-token': token };
      const answer = await fetch(`${service.url}${listPath}/${ran.id}/${name}.csv`, { headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
      const disposition = `attachment; filename="backtest-${ran.id.slice(0, 12)}-${name}.csv"`;
      assert.equal(answer.headers.get('content-disposition'), disposition);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.ok(Number(answer.headers.get('ratelimit-remaining')) > 0);
      return answer.text();
    };
    const trades = await file('trades');
    assert.ok(trades.endsWith('\r\n') && !/[^\r]\n/.test(trades));
    const rows = parse(trades, { columns: true, cast: false }) as unknown as Record<string, string>[];
    assert.ok(rows.length > 3);
    assert.deepEqual(
      rows,
      ran.trades.map((trade) =>
        Object.fromEntries(Object.keys(rows[0]).map((column) => [column, String(trade[column])])),
      ),
    );
    assert.deepEqual(Object.keys(rows[0]).sort(), Object.keys(ran.trades[0]).sort());
    const equity = parse(await file('equity'), { columns: true }) as unknown as {
      time: string;
      value: string;
      benchmark: string;
      drawdownPercent: string;
    }[];
    assert.deepEqual(
      equity.map(({ time, value, benchmark, drawdownPercent }) => ({
        ...{ time: Date.parse(time) / 1_000, value: Number(value) },
        ...{ benchmark: Number(benchmark), drawdownPercent: Number(drawdownPercent) },
      })),
      ran.equity,
    );
    assert.match(equity[0].time, /^\d{4}-\d\d-\d\dT\d\d:00:00\.000Z$/);
  });

  it('are deleted by their user, once', async () => {
    const token = await service.signIn();
    const { id } = await run(token);
    const { status, payload } = await ask('DELETE', `${listPath}/${id}`, token);
    assert.deepEqual([status, payload], [200, { id }]);
    const unknown = { status: 404, type: 'INVALID_INPUT_ID', field: 'id' };
    for (const method of ['DELETE', 'GET', 'DELETE'])
      assertRefused(await ask(method, `${listPath}/${id}`, token), unknown);
    assert.deepEqual(await list(token), { backtests: [], nextCursor: null });
    await run(token);
    assert.equal((await list(token)).backtests.length, 1);
  });

  it('of others are as unknown as ids that do not exist, by every method', async () => {
    const [token, other] = [await service.signIn(), await service.signIn()];
    const { id } = await run(token);
    for (const path of [
      `${listPath}/${id}`,
      `${listPath}/${id}/trades.csv`,
      `${listPath}/${id}/equity.csv`,
    ]) {
      const methods = path.endsWith('csv') ? ['GET'] : ['GET', 'DELETE'];
      for (const method of methods) {
        const foreign = await ask(method, path, other);
        assertRefused(foreign, { status: 404, type: 'INVALID_INPUT_ID', field: 'id' }, path);
        const missing = await ask(method, path.replace(id, '0'.repeat(64)), other);
        assert.equal(
          foreign.payload.message.replace(id, ''),
          missing.payload.message.replace('0'.repeat(64), ''),
        );
        assertRefused(await ask(method, path), { status: 401, type: 'UNAUTHORIZED' }, path);
      }
    }
    assert.deepEqual((await list(other)).backtests, []);
    assert.equal((await list(token)).backtests.length, 1);
    // A cursor of another user shows nothing of that user.
    await run(token, { asset: 'ETH' });
    const { nextCursor } = await list(token, '?limit=1');
    assert.deepEqual(await list(other, `?cursor=${nextCursor}`), { backtests: [], nextCursor: null });
  });

  it('refuse ids, cursors and limits that are none', async () => {
    const token = await service.signIn();
    const { id } = await run(token);
    const ids = [
      'x',
      '0',
      id.slice(1),
      `${id}0`,
      id.toUpperCase(),
      '%00',
      `${id}%0A`,
      '..',
      '%2e%2e',
      '*',
      '$ne',
    ];
    const idFaults = ids
      .filter((each) => !['..', '%2e%2e'].includes(each))
      .map((each) => [`/${each}`, 'ID', 'id']);
    const cursors = ['x', '%00', 'null', 'MjAyNg', Buffer.from(`x ${id}`).toString('base64url')];
    const faults = [
      ...idFaults,
      ...cursors.map((each) => [`?cursor=${each}`, 'CURSOR', 'cursor']),
      [`?cursor=${'a'.repeat(8_000)}`, 'CURSOR', 'cursor'],
      ...['0', '101', '-1', '1.5', 'x', '1e9'].map((each) => [`?limit=${each}`, 'LIMIT', 'limit']),
      ['?cursor[$gt]=', 'CONTENT', 'cursor[$gt]'],
      ['?userId=1', 'CONTENT', 'userId'],
      [`/${id}?userId=1`, 'CONTENT', 'userId'],
      [`/${id}?id=${id}`, 'CONTENT', 'id'],
    ];
    for (const [more, type, field] of faults) {
      const answer = await ask('GET', listPath + more, token);
      assertRefused(answer, { status: 400, type: `INVALID_INPUT_${type}`, field }, more);
    }
    for (const [more, status] of [
      [`/${id}/nope.csv`, 404],
      [`/${id}/trades`, 404],
      ['/', 404],
    ] as const)
      assert.equal((await ask('GET', listPath + more, token)).status, status, more);
    assert.equal((await ask('PUT', `${listPath}/${id}`, token)).status, 405);
    assert.equal((await ask('GET', `${listPath}/${id}`, token)).status, 200);
  });

  it('cost a point each to read', async () => {
    const token = await service.signIn();
    const { id } = await run(token);
    const remaining = async (path: string) => {
      const headers = { 'session-token': token };
      const answer = await fetch(service.url + path, { headers });
      await answer.text();
      return Number(answer.headers.get('ratelimit-remaining'));
    };
    const start = await remaining(listPath);
    const after = [];
    for (const more of [`/${id}`, `/${id}/trades.csv`, `/${id}/equity.csv`, ''])
      after.push(await remaining(listPath + more));
    assert.deepEqual(
      after,
      [1, 2, 3, 4].map((points) => start - points),
    );
  });

  it('are not those of other analyses', async () => {
    const token = await service.signIn();
    await service.post(
      '/backend/analysis/monte-carlo',
      { asset: 'BTC', paths: 200 },
      { 'session-token': token },
    );
    await service.post('/backend/analysis/sweep', { asset: 'BTC' }, { 'session-token': token });
    assert.deepEqual(await list(token), { backtests: [], nextCursor: null });
  });

  it('are not stored for a run that fails', async () => {
    const token = await service.signIn();
    const body = { asset: 'NEW', interval: '1h' };
    assert.equal((await service.post(runPath, body, { 'session-token': token })).status, 400);
    assert.deepEqual(await list(token), { backtests: [], nextCursor: null });
  });
});
