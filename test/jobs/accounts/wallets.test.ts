import assert from 'node:assert/strict';
import { pino } from 'pino';
import { equityCurve } from '../../../compute/ledger/equity-curve.js';
import { Decimal } from '../../../compute/model/decimal.js';
import type { Price } from '../../../compute/model/price.js';
import { readWallets } from '../../../jobs/accounts/read-wallets.js';
import { bookTrades } from '../../../jobs/signals/booking/book-trades.js';
import { snapshotAccounts } from '../../../jobs/accounts/snapshot-accounts.js';
import { syncAccount } from '../../../jobs/accounts/sync-account.js';
import { Prices } from '../../../storage/candles/prices.js';
import { encodeExecution } from '../../../storage/signals/execution-json.js';
import { newAccount } from '../../../storage/accounts/accounts.js';
import { ExchangeProcess } from '../../support/fake-exchange/exchange-process.js';
import { endedExecution, filledOrder, storedFill } from '../../support/signals/ended-execution.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';
import { keyOf, LiveRig } from '../../support/venues/live-rig.js';
import { liveOrder } from '../../support/venues/live-order.js';

const d = (text: string): Decimal => Decimal.parse(text);

/** What a read of FUTURES asks first, and how often a visit asks the same before for SPOT and MARGIN. */
const futuresRequests = {
  binance: { path: '/fapi/v3/account', skip: 0 },
  bybit: { path: '/v5/account/wallet-balance', skip: 3 },
  kucoin: { path: '/api/v1/account-overview', skip: 0 },
} as const;

for (const dialect of ['binance', 'bybit', 'kucoin'] as const)
  describe(`the wallets of an account on ${dialect}`, function () {
    this.timeout(60_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    const isUnified = dialect === 'bybit';
    const connectedAt = Date.now() - 1_000;
    let exchange: ExchangeProcess;
    let rig: LiveRig;
    let userId: string;
    let apiKey: string;
    let price = '60000';
    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      rig = new LiveRig(exchange, context.storage, redis.redis);
      await rig.price(price);
      userId = await rig.account({ spot: { USDT: '1000', BTC: '0.1' }, mayTradeMargin: true });
      apiKey = keyOf(userId);
      await context.storage.accounts.add(newAccount(userId, rig.name, 0));
    });
    after(() => exchange.close());

    const setPrice = async (next: string) => rig.price((price = next));
    const pricesOf = async () => new Map([['BTC', d(price)]]);
    const visit = async () => {
      const { accounts } = context.storage;
      const account = (await accounts.find(userId, rig.name))!;
      const opened = await rig.reader(userId);
      const { holdings, cash } = await syncAccount(account, opened, { pricesOf, nowMs: Date.now() });
      const tools = { storage: context.storage, connectedAt, pricesOf };
      const wallets = (await readWallets(account, opened, tools))!;
      assert.ok(await accounts.replace({ ...account, holdings, cash, wallets }));
      return wallets;
    };
    const snap = (day: number) => {
      const find = async (_market: string, assets: readonly string[]) =>
        new Map(
          assets.flatMap((asset): [string, Price][] =>
            asset === 'BTC' ? [[asset, { price: Number(price), change24hPercent: null, time: 0 }]] : [],
          ),
        );
      const tools = { storage: context.storage, prices: { find }, paperBalance: '0' };
      return snapshotAccounts({ ...tools, marketOf: () => 'demo' }, [userId], `2026-01-0${day}`);
    };
    const points = () => context.storage.equity.ofUser(userId, '2026-01-01');

    /** The value of all wallets by the exchange's ledger, with a position that was opened at a price. */
    const valueByLedger = async (position = Decimal.zero, entryPrice = '60000') => {
      const { spot, margin, futures } = (await exchange.ledger([apiKey])).accounts[0];
      const wallets = isUnified ? [spot] : [spot, margin, futures];
      const sum = (asset: string) => Decimal.sum(wallets.map((wallet) => Decimal.read(wallet[asset] ?? '0')));
      const gain = position.times(d(price).minus(d(entryPrice)));
      return sum('USDT')
        .plus(sum('BTC').times(d(price)))
        .plus(gain)
        .toString();
    };

    it('count with what positions have gained; what is moved between them is no profit', async () => {
      await visit();
      await snap(1);
      await exchange.apply(
        { type: 'transfer', apiKey, kind: 'futures', asset: 'USDT', amount: '400' },
        { type: 'transfer', apiKey, kind: 'margin', asset: 'USDT', amount: '100' },
      );
      const [placed] = await rig.venue.place([
        liveOrder(userId, { account: 'FUTURES', price: '60000', quantity: '0.01', leverage: 10 }),
      ]);
      assert.ok('state' in placed && placed.state.status === 'filled', JSON.stringify(placed));
      await setPrice('61000');
      await exchange.apply(
        { type: 'funding', apiKey, symbol: 'BTCUSDT', rate: '0.0001' },
        { type: 'interest', apiKey, asset: 'USDT', amount: '0.02' },
      );
      await visit();
      await snap(2);
      const [first, second] = await points();
      assert.equal(first.value, '7000');
      assert.equal(second.value, await valueByLedger(d('0.01')));
      assert.equal(second.flow, isUnified ? '500' : '0');
      const gain = Number(second.value) - Number(second.flow) - 7_000;
      assert.ok(gain > 109 && gain < 110, `${gain}`);
      const base = 7_000 + Number(second.flow) / 2;
      const { returnPercent } = equityCurve([first, second]);
      assert.ok(Math.abs(returnPercent! - (100 * gain) / base) < 1e-9);
    });

    it('are empty, and leave no day incomplete, where the key opens SPOT alone', async () => {
      const closed = { mayTradeMargin: false, mayTradeFutures: false, hasMargin: false };
      const owner = await rig.account({ spot: { USDT: '1000' }, ...closed });
      const wallets = (await readWallets(newAccount(owner, rig.name, 0), await rig.reader(owner), {
        ...{ storage: context.storage, connectedAt, pricesOf },
      }))!;
      assert.deepEqual(
        wallets.map(({ account, assets, fault, readAt }) => [account, assets.length, fault, readAt !== null]),
        [
          ['MARGIN', 0, null, true],
          ['FUTURES', 0, null, true],
        ],
      );
    });

    it('leave a day incomplete that cannot be read, and are compared over it afterwards', async () => {
      const fault = { kind: 'status', isDone: false, status: 503 } as const;
      const rule = { on: 'account', ...futuresRequests[dialect], times: null, fault } as const;
      await exchange.faults({ seed: 1, rules: [rule] });
      await setPrice('59000');
      const wallets = await visit();
      assert.deepEqual(
        wallets.map(({ account, fault: why }) => [account, why === null]),
        [
          ['MARGIN', true],
          ['FUTURES', false],
        ],
      );
      await snap(3);
      await exchange.faults({ seed: 1, rules: [] });
      await setPrice('62000');
      await exchange.apply({ type: 'transfer', apiKey, kind: 'futures', asset: 'USDT', amount: '-50' });
      await visit();
      await snap(4);
      const [, second, third, fourth] = await points();
      const { days } = equityCurve(await points());
      assert.deepEqual(
        days.map(({ incomplete }) => incomplete),
        [[], [], [`${rig.name} FUTURES`], []],
      );
      // What positions have lost since is not known; the BTC on SPOT are worth 200 USDT less.
      assert.equal(Number(third.value), Number(second.value) - 200);
      assert.equal(days[2].index, days[1].index);
      assert.equal(fourth.value, await valueByLedger(d('0.01')));
      assert.deepEqual([third.flow, fourth.flow], ['0', isUnified ? '-50' : '0']);
      const flow = Number(fourth.flow);
      const change = (Number(fourth.value) - Number(second.value) - flow) / (Number(second.value) + flow / 2);
      assert.ok(Math.abs(days[3].index / days[1].index - (1 + change)) < 1e-12);
    });

    it('make trades that equal the ledger with their funding, also with a line that is read after the trade was booked', async () => {
      const { storage } = context;
      const book = () =>
        bookTrades({ storage, prices: new Prices(redis.redis), log: pino({ level: 'silent' }) });
      // Not read before the trade is booked.
      await exchange.apply({ type: 'funding', apiKey, symbol: 'BTCUSDT', rate: '-0.00012345' });
      const close = {
        account: 'FUTURES',
        side: 'sell',
        price: '62000',
        reduces: true,
        leverage: 10,
      } as const;
      const [placed] = await rig.venue.place([liveOrder(userId, { ...close, quantity: '0.01' })]);
      assert.ok('state' in placed && placed.state.status === 'filled', JSON.stringify(placed));
      const fills = await rig.venue.fillsSince(userId, rig.pair, 'FUTURES', connectedAt);
      const orders = fills.map((fill, n) => {
        const [quantity, traded, fee] = [fill.quantity, fill.price, fill.quoteFee].map(String);
        const own = { tradeId: fill.tradeId, quantity, price: traded, quoteFee: fee, at: new Date(fill.at) };
        return filledOrder(n === 0 ? 'buy' : 'sell', [storedFill(own)]);
      });
      const state = encodeExecution({ ...makeExecution({ leverage: 10 }), status: 'closed' });
      const ended = { userId, exchange: rig.name, account: 'FUTURES', orders, state } as const;
      const execution = endedExecution({ ...ended, endedAt: new Date() });
      await storage.executions.addAll([execution]);
      await book();
      const tradeOf = async () => (await storage.trades.ofUser({ userId, limit: 5 }))[0];
      const first = await tradeOf();
      await visit();
      await book();
      const whole = await tradeOf();
      await book();
      assert.deepEqual(await tradeOf(), whole);
      assert.deepEqual([first.payments?.length, whole.payments?.length], [1, 2]);
      // By the ledger: what was sold less what was bought, less commissions, with funding.
      const { trades, entries } = await exchange.ledger([apiKey]);
      const traded = trades.filter(({ kind }) => kind === 'futures');
      const earned = Decimal.sum(
        traded.map(({ side, quantity, price: at, commission }) => {
          const value = d(quantity).times(d(at));
          return (side === 'SELL' ? value : value.negated()).minus(d(commission));
        }),
      );
      const paid = Decimal.sum(
        entries.filter(({ type }) => type === 'funding').map(({ amount }) => d(amount)),
      );
      assert.ok(Math.abs(Number(whole.profit) - Number(earned.plus(paid).toString())) < 1e-8);
      assert.equal(whole.funding, paid.toString());
      const days = whole.days.map(({ profit }) => d(profit));
      assert.equal(Decimal.sum(days).toString(), whole.profit);
    });

    it('have lines of funding and interest that equal the ledger, each once', async () => {
      await visit();
      const stored = await context.storage.ledgerEntries.payments(userId, new Date(0));
      const { entries } = await exchange.ledger([apiKey]);
      const rows = (of: readonly { kind: string; asset: string; amount: string; at: number }[]) =>
        of
          .map(({ kind, asset, amount, at }) => [kind, asset, d(amount).toString(), at])
          .sort((one, other) => (String(one) < String(other) ? -1 : 1));
      assert.deepEqual(
        rows(stored.map((each) => ({ ...each, at: each.at.getTime() }))),
        rows(
          entries
            .filter(({ type }) => type !== 'transfer')
            .map(({ type, asset, amount, time }) => ({ kind: type, asset, amount, at: time })),
        ),
      );
      const funding = stored.find(({ kind }) => kind === 'funding')!;
      assert.deepEqual([funding.pair, funding.amount], ['BTC/USDT', '-0.061']);
      if (dialect !== 'binance') assert.equal(Number(funding.basis), 0.01);
    });
  });
