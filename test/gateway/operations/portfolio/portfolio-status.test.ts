import assert from 'node:assert/strict';
import { Prices } from '../../../../storage/candles/prices.js';
import { roundFigure } from '../../../../compute/model/round-figures.js';
import { assertRefused } from '../../../support/gateway/envelope.js';
import { accountUser, holdPositions } from '../../../support/gateway/account-user.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { randomCandles } from '../../../support/candles/random-candles.js';

interface Row {
  asset: string;
  account: string;
  side: string;
  conflict: boolean;
  conflictsOn: string[];
  [name: string]: unknown;
}

const path = '/backend/portfolio';

describe('the status of a portfolio', () => {
  let service: TestService;
  const prices: Record<string, number> = {};
  before(async () => {
    const market = await openTestMarket();
    ({ service } = market);
    prices.BTC = market.btc.close.at(-1)!;
    prices.ETH = Number(
      randomCandles(24 * 100, { seed: 2 })
        .close.at(-1)!
        .toPrecision(10),
    );
  });
  after(() => service.close());

  /** The state that the chart shows; asking for it stores the core line. */
  const stateOf = async (asset: string, interval: string): Promise<string | null> =>
    (await service.post('/backend/core-line/chart', { asset, interval })).payload.state as string | null;

  it('is empty without positions', async () => {
    const { get } = await accountUser(service);
    const { status, payload } = await get(path);
    assert.equal(status, 200);
    assert.deepEqual(payload, {
      positions: [],
      summary: { count: 0, conflicts: 0, value: 0, pnl: 0 },
      ...{ asOf: null, statesAsOf: null, source: 'csv', accounts: [] },
    });
  });

  it('tells the 24h change of a price as scans do on any interval, sorted by it or not', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '1', ETH: '1' });
    // A tick of now is newer than any candle.
    const tick = { base: 'BTC', quote: 'USDT', price: 41, change24hPercent: 7.5, time: Date.now() };
    await new Prices(service.deps.redis).put('csv', [tick]);
    const { payload } = await user.get(path);
    const changes = new Map((payload.positions as Row[]).map(({ asset, change24h }) => [asset, change24h]));
    assert.equal(changes.get('BTC'), 7.5);
    for (const interval of ['1h', '1d'])
      for (const sort of ['change24h', 'volume']) {
        const scan = await service.post('/backend/analysis/scan-states', { interval, sort, limit: 1 });
        const [row] = scan.payload.states as Row[];
        assert.equal(scan.payload.states.length, 1);
        assert.equal(row.change24h, changes.get(row.asset), `${row.asset} on ${interval} by ${sort}`);
        if (sort === 'change24h') assert.equal(row.asset, 'BTC');
        if (row.asset === 'BTC') assert.equal(row.change24hAt, new Date(tick.time).toISOString());
      }
    await new Prices(service.deps.redis).dropOlder('csv', Infinity);
  });

  it('joins each position with the states of its asset, and says where one opposes the side', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '0.5', ETH: '2' });
    const shorted = { base: 'BTC', quantity: '-2', entryValue: '100', margin: '10' };
    const bought = { base: 'ETH', quantity: '3', entryValue: '90', margin: '30' };
    await holdPositions(service, user, { account: 'FUTURES', wallet: '500', positions: [shorted, bought] });
    const states: Record<string, (string | null)[]> = {};
    for (const asset of ['BTC', 'ETH'])
      states[asset] = await Promise.all(['1h', '4h', '1d'].map((interval) => stateOf(asset, interval)));
    const { payload } = await user.get(path);
    const rows = payload.positions as Row[];
    const expected = [
      { asset: 'BTC', account: 'SPOT', side: 'long', quantity: 0.5, cost: 0.5 * prices.BTC },
      { asset: 'ETH', account: 'SPOT', side: 'long', quantity: 2, cost: 2 * prices.ETH },
      { asset: 'BTC', account: 'FUTURES', side: 'short', quantity: 2, cost: 100 },
      { asset: 'ETH', account: 'FUTURES', side: 'long', quantity: 3, cost: 90 },
    ].map(({ cost, ...each }) => {
      const value = each.quantity * prices[each.asset];
      const opposing = each.side === 'long' ? 'distribute' : 'accumulate';
      const conflictsOn = ['1h', '4h', '1d'].filter((_, n) => states[each.asset][n] === opposing);
      return {
        ...each,
        exchange: 'PAPER',
        tradeMarket: 'USDT',
        averageEntry: roundFigure(cost / each.quantity),
        price: prices[each.asset],
        change24h: null,
        value: roundFigure(value),
        pnl: roundFigure(each.side === 'long' ? value - cost : cost - value),
        state1h: states[each.asset][0],
        state4h: states[each.asset][1],
        state1d: states[each.asset][2],
        conflict: conflictsOn.length > 0,
        conflictsOn,
      };
    });
    assert.deepEqual(
      rows.map((row) => ({ ...row, change24h: null })),
      expected.sort((one, other) => other.value - one.value),
    );
    assert.ok(expected.some(({ conflict }) => conflict) && expected.some(({ conflict }) => !conflict));
    assert.deepEqual(payload.summary, {
      count: 4,
      conflicts: expected.filter(({ conflict }) => conflict).length,
      value: roundFigure(rows.reduce((sum, { value }) => sum + (value as number), 0)),
      pnl: roundFigure(rows.reduce((sum, { pnl }) => sum + (pnl as number), 0)),
    });
    const conflicts = await user.get(`${path}?onlyConflicts=true`);
    assert.deepEqual(
      conflicts.payload.positions,
      rows.filter(({ conflict }) => conflict),
    );
    assert.deepEqual(conflicts.payload.summary, payload.summary);
    const binance = await user.get(`${path}?exchange=BINANCE`);
    assert.equal(binance.payload.message, 'no account on BINANCE is connected; connected are PAPER');
    assert.deepEqual((await user.get(`${path}?exchange=PAPER`)).payload, payload);
  });

  it('adds up what executions hold on a connected exchange', async () => {
    const user = await accountUser(service);
    const account = { userId: user.userId, exchange: 'BINANCE', holdings: [], cash: [] };
    await service.storage.accounts.add({
      ...account,
      ...{ syncedAt: 1_700_000_000_000, dueAt: null, failures: 0, fault: 'the key was refused', revision: 1 },
    });
    await service.deps.exchanges.updater.refresh([user.userId]);
    const held = { side: 'short', position: { quantity: '1.5', entered: '2', entryValue: '240' } };
    const more = { userId: user.userId, exchange: 'BINANCE', status: 'open', account: 'FUTURES' } as const;
    await service.storage.executions.addAll([
      makeStoredExecution({ ...more, pair: 'ETH/USDT', state: held as never }),
      makeStoredExecution({ ...more, pair: 'ETH/USDT', state: held as never }),
      makeStoredExecution({ ...more, pair: 'BTC/USDT', endedAt: new Date(), state: held as never }),
    ]);
    const { payload } = await user.get(path);
    assert.deepEqual(
      (payload.positions as Row[]).map(({ asset, side, quantity, averageEntry, account: on }) => [
        ...[asset, side, quantity, averageEntry, on],
      ]),
      [['ETH', 'short', 3, 120, 'FUTURES']],
    );
    assert.deepEqual(payload.accounts, [
      { exchange: 'BINANCE', syncedAt: '2023-11-14T22:13:20.000Z', fault: 'the key was refused' },
    ]);
  });

  it('shows nothing of other users, and needs a session', async () => {
    const [owner, other] = [await accountUser(service), await accountUser(service)];
    await owner.give({ BTC: '1' });
    await holdPositions(service, owner, {
      ...{ account: 'MARGIN', wallet: '10' },
      positions: [{ base: 'BTC', quantity: '1', entryValue: '1', margin: '1' }],
    });
    assert.deepEqual((await other.get(path)).payload.positions, []);
    assertRefused(await other.get(`${path}?userId=${owner.userId}`), {
      ...{ status: 400, type: 'INVALID_INPUT_CONTENT', field: 'userId' },
    });
    assert.equal((await fetch(service.url + path)).status, 401);
  });

  for (const [query, field] of [
    ['exchange=NOWHERE', 'exchange'],
    ['exchange=', 'exchange'],
    ['onlyConflicts=perhaps', 'onlyConflicts'],
  ])
    it(`refuses ${query}`, async () => {
      const { get } = await accountUser(service);
      const { status, payload } = await get(`${path}?${query}`);
      assert.deepEqual([status, payload.field], [400, field]);
    });
});
