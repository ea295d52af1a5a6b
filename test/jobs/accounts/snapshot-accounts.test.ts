import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { equityCurve } from '../../../compute/ledger/equity-curve.js';
import { snapshotAccounts } from '../../../jobs/accounts/snapshot-accounts.js';
import { snapshotEquitySchedule } from '../../../jobs/schedules/snapshot-equity.js';
import { newAccount, type Account } from '../../../storage/accounts/accounts.js';
import type { Price } from '../../../compute/model/price.js';
import { scheduleToolsOf } from '../../support/jobs/schedule-tools.js';
import { holdPositions } from '../../support/gateway/account-user.js';
import { openTestService, type TestService } from '../../support/gateway/gateway.js';
import { cutWrites } from '../../support/servers/cut-writes.js';
import { endedExecution, filledOrder, storedFill } from '../../support/signals/ended-execution.js';

let users = 0;

describe('snapshots of accounts', function () {
  this.timeout(60_000);
  let service: TestService;
  before(async () => void (service = await openTestService({ computeNodes: 0 })));
  after(() => service.close());

  let prices: Record<string, number> = {};
  beforeEach(() => void (prices = { BTC: 50_000, ETH: 2_000, BNB: 500 }));
  const latest = {
    find: (_market: string, assets: readonly string[]) =>
      Promise.resolve(
        new Map(
          assets.flatMap((asset): [string, Price][] =>
            asset in prices ? [[asset, { price: prices[asset], change24hPercent: null, time: 0 }]] : [],
          ),
        ),
      ),
  };
  const snap = (userId: string, day: string, storage = service.storage) =>
    snapshotAccounts(
      { storage, prices: latest, marketOf: () => 'demo', paperBalance: '10000' },
      [userId],
      day,
    );
  const equityOf = (userId: string) => service.storage.equity.ofUser(userId, '2026-01-01');

  /** The account of a user, whatever it was before. */
  async function holds(userId: string, held: Record<string, string>, exchange = 'PAPER'): Promise<void> {
    const entries = Object.entries(held);
    const cash = entries.filter(([asset]) => asset.includes('USD') || asset === 'EUR');
    const holdings: Account['holdings'] = entries
      .filter(([asset]) => !asset.includes('USD') && asset !== 'EUR')
      .map(([asset, quantity]) => ({
        asset,
        quantity,
        cost: null,
        basis: 'average',
        cursor: null,
        checkedAt: 0,
      }));
    await service.storage.accounts.startAnew({
      ...newAccount(userId, exchange, null),
      cash: cash.map(([asset, quantity]) => ({ asset, quantity })),
      holdings,
    });
  }
  const newUser = () => `snapped ${++users}`;

  it('tell value, what is without a price, and the price of BTC; the first has no flow', async () => {
    const userId = newUser();
    await holds(userId, { USDT: '100.5', USDC: '10', EUR: '7', BTC: '0.01', LUNA: '3' });
    assert.equal(await snap(userId, '2026-01-05'), 1);
    assert.deepEqual(await equityOf(userId), [
      {
        ...{ exchange: 'PAPER', day: '2026-01-05', value: '610.5', flow: '0' },
        ...{ wallets: [], unpriced: ['EUR', 'LUNA'], benchmark: '50000' },
      },
    ]);
  });

  it('keep the first of a day, and are whole wherever they are cut off', async () => {
    let userId = newUser();
    await cutWrites(service.mongodbUrl, {
      prepare: () => holds((userId = newUser()), { USDT: '100' }),
      work: (storage) => snap(userId, '2026-01-05', storage),
      check: async () => {
        await snap(userId, '2026-01-05');
        assert.equal((await equityOf(userId)).length, 1);
      },
    });
    await holds(userId, { USDT: '900' });
    await snap(userId, '2026-01-05');
    assert.deepEqual(
      (await equityOf(userId)).map(({ value }) => value),
      ['100'],
    );
  });

  it('recognise deposits and withdrawals: what no trade explains', async () => {
    const userId = newUser();
    await holds(userId, { USDT: '1000', ETH: '1' });
    await snap(userId, '2026-01-05');
    // Prices change, 500 USDT come in, half an ETH goes out.
    prices = { ...prices, ETH: 3_000 };
    await holds(userId, { USDT: '1500', ETH: '0.5' });
    await snap(userId, '2026-01-06');
    const [, second] = await equityOf(userId);
    assert.deepEqual([second.value, second.flow], ['3000', '-1000']);
  });

  it('do not take trades for flows, with fees in any asset, nor trades of other accounts', async () => {
    const userId = newUser();
    await holds(userId, { USDT: '1000', BNB: '1' });
    await snap(userId, '2026-01-05');
    const at = new Date(Date.now() + 1);
    const bought = storedFill({ price: '50000', quantity: '0.01', baseFee: '0.00001', at });
    const sold = storedFill({
      ...{ price: '52000', quantity: '0.004', quoteFee: '0.2', at },
      otherFees: [{ asset: 'BNB', amount: '0.01' }],
    });
    const orders = [filledOrder('buy', [bought]), filledOrder('sell', [sold])];
    const another = () => [filledOrder('buy', [storedFill({ at })])];
    await service.storage.executions.addAll([
      endedExecution({ userId, orders, endedAt: null, bookAt: null }),
      endedExecution({ userId, orders: another(), exchange: 'BINANCE', endedAt: null, bookAt: null }),
      endedExecution({ userId, orders: another(), account: 'FUTURES', endedAt: null, bookAt: null }),
      endedExecution({ orders: another(), endedAt: null, bookAt: null }),
    ]);
    // 1000 - 500 + 208 - 0.2; the fee of 0.01 BNB; and 30 USDT paid in.
    await holds(userId, { USDT: '737.8', BNB: '0.99', BTC: '0.00599' });
    await snap(userId, '2026-01-07');
    const [, second] = await equityOf(userId);
    assert.equal(Number(Decimal.read(second.flow).toString()), 30);
  });

  it('count MARGIN and FUTURES on paper with what positions have gained; what an account began with is no profit', async () => {
    const userId = newUser();
    await holds(userId, { USDT: '1000' });
    await snap(userId, '2026-01-05');
    // 2 ETH long at 2,000 that are worth 2,500 now, 1 BTC short at 50,000 that is worth 49,000; 12 USDT were earned before.
    prices = { ...prices, ETH: 2_500, BTC: 49_000 };
    const eth = { base: 'ETH', quantity: '2', entryValue: '4000', margin: '400' };
    const btc = { base: 'BTC', quantity: '-1', entryValue: '50000', margin: '5000' };
    await holdPositions(service, { userId }, { account: 'FUTURES', wallet: '10012', positions: [eth, btc] });
    await holdPositions(service, { userId }, { account: 'MARGIN', wallet: '9000', positions: [] });
    await snap(userId, '2026-01-06');
    prices = { BTC: 49_000 };
    await snap(userId, '2026-01-07');
    const [, second, third] = await equityOf(userId);
    assert.equal(second.value, String(1_000 + 10_012 + 2 * 500 + 1_000 + 9_000));
    assert.deepEqual([second.flow, second.unpriced], ['20000', []]);
    assert.deepEqual(second.wallets?.map(({ account }) => account).sort(), ['FUTURES', 'MARGIN']);
    // What the long has gained is not known without a price.
    assert.deepEqual([third.flow, third.unpriced], ['0', ['ETH']]);
    const { days } = equityCurve(await equityOf(userId));
    assert.ok(Math.abs(days[1].index - 100 * (1 + 1_012 / 11_000)) < 1e-9);
    assert.equal(days[2].index, days[1].index);
  });

  it('value who has traded on margin alone by the schedule, with SPOT as it began', async () => {
    const userId = newUser();
    await holdPositions(service, { userId }, { account: 'MARGIN', wallet: '9990', positions: [] });
    const told = await snapshotEquitySchedule.run(scheduleToolsOf(service), new AbortController().signal);
    assert.match(told, /^\d+ accounts valued for /);
    const balance = Number(service.deps.settings.PAPER_BALANCE);
    assert.deepEqual(
      (await equityOf(userId)).map(({ value }) => Number(value)),
      [balance + 9_990],
    );
  });

  it('are taken by the schedule for every account, and shown as a curve to their user alone', async () => {
    const token = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(token))!;
    await holds(userId, { USDT: '1000' });
    const days = async () => {
      const answer = await fetch(`${service.url}/backend/equity`, { headers: { 'session-token': token } });
      return ((await answer.json()) as { payload: { days: { value: string; isNow: boolean }[] } }).payload
        .days;
    };
    // Before the first midnight there is the value of now.
    assert.deepEqual(
      (await days()).map(({ value, isNow }) => [value, isNow]),
      [['1000', true]],
    );
    const told = await snapshotEquitySchedule.run(scheduleToolsOf(service), new AbortController().signal);
    assert.match(told, /^\d+ accounts valued for \d{4}-\d\d-\d\d$/);
    await service.storage.equity.add([
      {
        userId,
        exchange: 'PAPER',
        day: '2000-01-01',
        at: new Date(0),
        value: '500',
        assets: [],
        flow: '0',
        unpriced: [],
        benchmark: null,
      },
    ]);
    const ask = async (session: string, query = '') => {
      const answer = await fetch(`${service.url}/backend/equity${query}`, {
        headers: { 'session-token': session },
      });
      return {
        status: answer.status,
        ...((await answer.json()) as { payload: { days: { value: string }[]; returnPercent: number } }),
      };
    };
    const { payload } = await ask(token, '?period=all');
    assert.deepEqual(
      [payload.days.map(({ value }) => value), payload.returnPercent],
      [['500', '1000', '1000'], 100],
    );
    assert.deepEqual(
      (await ask(token)).payload.days.map(({ value }) => value),
      ['1000', '1000'],
    );
    assert.deepEqual((await ask(await service.signIn(), '?period=all')).payload.days, []);
    assert.equal((await ask(token, '?period=2y')).status, 400);
    assert.equal((await fetch(`${service.url}/backend/equity`)).status, 401);
  });
});
