import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import type { VenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import type { DialectName } from '../../../support/fake-exchange/dialects.js';
import { ExchangeProcess } from '../../../support/fake-exchange/exchange-process.js';
import type { FaultRule, RequestFault } from '../../../support/fake-exchange/fault-script.js';
import { temporaryRedis } from '../../../support/servers/temporary-redis.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { keyOf, LiveRig } from '../../../support/venues/live-rig.js';

const d = (text: string): Decimal => Decimal.parse(text);

interface FateCase {
  dialect: DialectName;
  /** An answer by which the exchange says that it does not know what has become of the request. */
  timeout: Omit<Extract<RequestFault, { kind: 'status' }>, 'kind' | 'isDone'>;
  insufficient: string;
  /** How it refuses a price that is far from the market's, and an order on a symbol that is not traded now. */
  tooFar: string;
  halted: string;
  /** What it says during maintenance. */
  closed: string;
  /** Whether the answer to a new order has its state; otherwise it is looked up at once. */
  answersState: boolean;
}

const cases: readonly FateCase[] = [
  {
    dialect: 'binance',
    timeout: { status: 408, code: -1007 },
    ...{ insufficient: 'insufficient balance', tooFar: 'PERCENT_PRICE_BY_SIDE', halted: 'Market is closed' },
    closed: 'This service is no longer available',
    answersState: true,
  },
  {
    dialect: 'bybit',
    timeout: { status: 200, code: 170007, message: 'Timeout waiting for response from backend server.' },
    ...{ insufficient: 'Insufficient balance', tooFar: 'price cannot be higher' },
    ...{ halted: 'No trading is allowed', closed: 'Service is restarting' },
    answersState: false,
  },
  {
    dialect: 'kucoin',
    timeout: { status: 200, code: 408000, message: 'Network timeout, please try again later' },
    ...{ insufficient: 'Balance insufficient', tooFar: 'Max. price', halted: 'Forbidden to place an order' },
    closed: 'Internal Server Error',
    answersState: false,
  },
];

/** By which the exchanges say what a key and its account may do. */
const permissionPaths = [
  ...['/sapi/v1/account/apiRestrictions', '/v5/user/query-api', '/v5/account/info'],
  ...['/api/v1/user/api-key', '/api/v1/hf/accounts/opened', '/api/ua/v1/account/mode'],
];

for (const { dialect, timeout, answersState, ...words } of cases)
  describe(`the fate of an order on ${dialect}`, function () {
    this.timeout(60_000);
    const context = temporaryStorage();
    const redis = temporaryRedis();
    let exchange: ExchangeProcess;
    let rig: LiveRig;
    before(async () => {
      exchange = await ExchangeProcess.start(dialect);
      rig = new LiveRig(exchange, context.storage, redis.redis);
    });
    after(() => exchange.close());
    beforeEach(async () => {
      await redis.redis.flushdb();
      await exchange.faults({ seed: 1, rules: [] });
      await rig.price('61000');
    });

    /** What an order of 600 leaves free of 1,000: KuCoin freezes a fee of 0.1 % beside it. */
    const leftOf1000 = dialect === 'kucoin' ? '399.4' : '400';
    let orders = 0;
    const order = (userId: string, more: Partial<VenueOrder> = {}): VenueOrder => ({
      ...{ userId, pair: rig.pair, account: 'SPOT', clientOrderId: `fate${++orders}`, owner: 'execution' },
      ...{ side: 'buy', type: 'limit', price: d('60000'), stopPrice: null, quantity: d('0.01') },
      ...{ reduces: false, leverage: 1, marginMode: 'CROSS', isNew: true },
      ...more,
    });
    const goWrong = (rules: FaultRule[]) => exchange.faults({ seed: 1, rules });
    const place = async (wanted: VenueOrder) => (await rig.venue.place([wanted]))[0];
    const kindOf = (answer: object) => Object.keys(answer)[0];
    const count = async (userId: string) => (await rig.ledgerOrders(userId)).length;

    const unsaid: Record<string, RequestFault> = {
      'never answers and has taken it': { kind: 'silence', isDone: true },
      'never answers and has not taken it': { kind: 'silence', isDone: false },
      'resets the connection after taking it': { kind: 'reset', isDone: true },
      'resets the connection before taking it': { kind: 'reset', isDone: false },
      'fails with 503 after taking it': { kind: 'status', isDone: true, status: 503 },
      'fails with 500 before taking it': { kind: 'status', isDone: false, status: 500 },
      'says that its own timeout was reached': { kind: 'status', isDone: true, ...timeout },
      'answers late': { kind: 'late answer', ms: 6_000 },
    };
    for (const [what, fault] of Object.entries(unsaid))
      it(`is unknown when the exchange ${what}, and nothing is sent a second time`, async () => {
        const userId = await rig.user('1000');
        const wanted = order(userId);
        await goWrong([{ on: 'create', fault }]);
        assert.equal(kindOf(await place(wanted)), 'unknown');
        const isTaken = !('isDone' in fault) || fault.isDone;
        assert.equal(await count(userId), isTaken ? 1 : 0);
        const [found] = await rig.venue.find([wanted]);
        assert.equal(found && 'status' in found ? found.status : found, isTaken ? 'open' : null);
      });

    it('is unknown or cancelled within seconds, though its request may wait for minutes', async () => {
      const userId = await rig.user('1000');
      const patient = rig.open(200_000);
      await patient.place([order(userId, { price: d('20000') })]);
      const wanted = order(userId);
      // Both requests wait for longer than this test.
      await goWrong([
        { on: 'create', fault: { kind: 'silence', isDone: true } },
        { on: 'cancel', fault: { kind: 'silence', isDone: true } },
      ]);
      assert.equal(kindOf((await patient.place([wanted]))[0]), 'unknown');
      const [cancelled] = await patient.cancel([wanted]);
      assert.ok(cancelled && 'status' in cancelled && cancelled.status === 'cancelled');
    });

    it('is found, or unknown, after an answer that is a page', async () => {
      const userId = await rig.user('1000');
      const wanted = order(userId);
      await goWrong([{ on: 'create', fault: { kind: 'unreadable' } }]);
      assert.equal(kindOf(await place(wanted)), answersState ? 'unknown' : 'state');
      const [found] = await rig.venue.find([wanted]);
      assert.ok(found && 'status' in found && found.status === 'open', JSON.stringify(found));
      assert.equal(await count(userId), 1);
    });

    it('is found after an answer without an id', async () => {
      const userId = await rig.user('1000');
      await goWrong([{ on: 'create', fault: { kind: 'empty' } }]);
      const answer = await place(order(userId));
      assert.ok('state' in answer && answer.state.status === 'open', JSON.stringify(answer));
      assert.equal(await count(userId), 1);
    });

    it('is unknown while an exchange that has taken it does not show it', async () => {
      const userId = await rig.user('1000');
      const wanted = order(userId);
      await goWrong([
        { on: 'create', fault: { kind: 'hidden', ms: 700 } },
        { on: 'create', skip: 1, fault: { kind: 'hidden', ms: 700 } },
      ]);
      assert.equal(kindOf(await place(wanted)), answersState ? 'state' : 'unknown');
      assert.deepEqual(await rig.venue.find([wanted]), [null]);
      const again = await place(wanted);
      assert.deepEqual(kindOf(again), 'unknown', 'the exchange has one of this id');
      assert.equal(await count(userId), 1);
    });

    it('is postponed when nothing was sent, or too much was requested', async () => {
      const userId = await rig.user('1000');
      await place(order(userId));
      const late = await place(order(userId, { sendBefore: Date.now() - 1 }));
      assert.deepEqual(late, { postponed: 'the request was not sent in time' });
      await goWrong([{ on: 'create', fault: { kind: 'status', isDone: false, status: 429, retryAfter: 7 } }]);
      const limited = await place(order(userId));
      assert.ok('postponed' in limited && limited.retryAfterMs === 7_000, JSON.stringify(limited));
      const paused = await place(order(userId));
      assert.ok('postponed' in paused && paused.postponed.includes('paused'), JSON.stringify(paused));
      assert.equal(await count(userId), 1);
    });

    if (dialect !== 'bybit')
      it('is placed on SPOT while futures, which have limits of their own, are paused', async () => {
        const userId = await rig.account({ spot: { USDT: '1000' }, futures: { USDT: '1000' } });
        const [retryAfter, body] = [30, dialect === 'kucoin' ? 'error code: 1015' : undefined];
        const limit = { kind: 'status', isDone: false, status: 429, code: -1003, retryAfter, body } as const;
        await goWrong([{ on: 'create', fault: limit }]);
        const onFutures = () => place(order(userId, { account: 'FUTURES' }));
        assert.equal(kindOf(await onFutures()), 'postponed');
        const paused = await onFutures();
        assert.ok(
          'postponed' in paused && paused.postponed.includes('-futures are paused'),
          JSON.stringify(paused),
        );
        assert.equal(kindOf(await place(order(userId))), 'state');
      });

    if (dialect === 'binance')
      it('is placed where it reduces after too many orders of the account; entries wait for ten seconds', async () => {
        const userId = await rig.account({ spot: { USDT: '1000', BTC: '1' } });
        await place(order(userId));
        const tooMany = { status: 429, code: -1015, message: 'Too many new orders; current limit is 100.' };
        await goWrong([{ on: 'create', fault: { kind: 'status', isDone: false, ...tooMany } }]);
        const first = await place(order(userId));
        assert.ok('postponed' in first && first.retryAfterMs === 10_000, JSON.stringify(first));
        const sale = order(userId, { side: 'sell', price: d('62000'), reduces: true });
        assert.equal(kindOf(await place(sale)), 'state');
        const [cancelled] = await rig.venue.cancel([sale]);
        assert.ok(cancelled && 'status' in cancelled && cancelled.status === 'cancelled');
        const entry = await place(order(userId, { sendBefore: Date.now() + 300 }));
        assert.ok(
          'postponed' in entry && /budget .* is used up/.test(entry.postponed),
          JSON.stringify(entry),
        );
      });

    it('is refused only when the exchange refuses it, with what the exchange says', async () => {
      const userId = await rig.user('1000');
      const refused = async (more: Partial<VenueOrder>) => {
        const answer = await place(order(userId, more));
        return 'refused' in answer ? answer.refused : JSON.stringify(answer);
      };
      assert.ok((await refused({ quantity: d('0.1') })).includes(words.insufficient));
      const tooFar = { side: 'sell', price: d('400000') } as const;
      assert.ok((await refused(tooFar)).includes(words.tooFar), await refused(tooFar));
      const resting = order(userId);
      await place(resting);
      await exchange.halt('BTCUSDT');
      assert.ok((await refused({})).includes(words.halted), await refused({}));
      const [cancelled] = await rig.venue.cancel([resting]);
      await exchange.halt('BTCUSDT', false);
      assert.ok(cancelled && 'status' in cancelled && cancelled.status === 'cancelled');
    });

    it('waits while the exchange is closed for maintenance: nothing is refused', async () => {
      const userId = await rig.user('1000');
      const resting = order(userId);
      await place(resting);
      await exchange.maintenance(60_000);
      const answer = await place(order(userId));
      const [found] = await rig.venue.find([resting]);
      await exchange.maintenance(0);
      assert.ok(!('refused' in answer) && !('state' in answer), JSON.stringify(answer));
      assert.equal(kindOf(found!), 'unknown');
      assert.ok(JSON.stringify(answer).includes(words.closed), JSON.stringify(answer));
    });

    it('is unknown until the exchange lists its trades', async () => {
      const userId = await rig.user('1000');
      const wanted = order(userId, { type: 'market', price: null });
      await exchange.lateTrades(3_600_000);
      const placed = await place(wanted);
      const [early] = await rig.venue.find([wanted]);
      await exchange.lateTrades(0);
      // Binance lists the trades of an order at market in its answer.
      assert.equal(kindOf(placed), answersState ? 'state' : 'unknown');
      assert.deepEqual(early, { unknown: 'the exchange does not list all trades of the order yet' });
      const [found] = await rig.venue.find([wanted]);
      assert.ok(found && 'status' in found && found.status === 'filled' && found.fills.length > 0);
    });

    it('is not sent for a user without a connection, or with a key that may withdraw or not trade', async () => {
      const unconnected = await place(order('nobody'));
      assert.deepEqual(unconnected, { refused: `"${rig.name}" is not connected` });
      for (const [setup, why] of [
        [{ mayWithdraw: true }, /may withdraw/],
        [{ mayTrade: false }, /may not trade/],
      ] as const) {
        const userId = await rig.account({ spot: { USDT: '1000' }, ...setup });
        const answer = await place(order(userId));
        assert.ok('refused' in answer && why.test(answer.refused), JSON.stringify(answer));
        assert.equal(await count(userId), 0);
      }
    });

    it('is placed where it reduces, and cancelled and found, while the exchange does not say what the key may do', async () => {
      const userId = await rig.account({ spot: { USDT: '1000', BTC: '1' } });
      const resting = order(userId);
      await place(resting);
      const fault = { kind: 'status', isDone: false, status: 503 } as const;
      await goWrong(permissionPaths.map((path) => ({ on: 'any', path, times: null, fault })));
      const restarted = rig.open();
      const [sold] = await restarted.place([
        order(userId, { side: 'sell', price: d('62000'), reduces: true }),
      ]);
      const [[found], [cancelled]] = [await restarted.find([resting]), await restarted.cancel([resting])];
      assert.deepEqual(
        [kindOf(sold), found && 'status' in found, cancelled && 'status' in cancelled && cancelled.status],
        ['state', true, 'cancelled'],
        JSON.stringify(sold),
      );
      const [entry] = await restarted.place([order(userId)]);
      assert.equal(kindOf(entry), 'postponed', JSON.stringify(entry));
    });

    it('reads an account whose key opens SPOT alone, and says so where another account is needed', async () => {
      const closed = { mayTradeMargin: false, mayTradeFutures: false, hasMargin: false };
      const userId = await rig.account({ spot: { USDT: '1000' }, ...closed });
      const { venue } = rig;
      await place(order(userId));
      for (let n = 0; n < 2; n++) {
        const found = (await venue.holdings(userId)).filter(({ asset }) => asset === 'USDT');
        assert.ok(found.some(({ account, free }) => account === 'SPOT' && String(free) === leftOf1000));
        assert.deepEqual(await venue.positions(userId), []);
        assert.equal((await venue.openOrders(userId)).length, 1);
      }
      for (const read of ['holdings', 'positions', 'openOrders'] as const)
        await assert.rejects(venue[read](userId, { needed: new Set(['FUTURES']) }), {
          ...{ code: 'exchange_refused', details: { reason: 'key' } },
          message: `the key does not open FUTURES of ${rig.name}`,
        });
    });

    it('does not depend on the accounts of other users', async () => {
      const broken = await rig.user('1000');
      await context.storage.connections.remove(broken, rig.name);
      await rig.connect(broken, { apiKey: 'keyof'.padEnd(24, 'y'), secret: 'wrong' });
      const userId = await rig.user('1000');
      const wanted = order(userId);
      const answers = await rig.venue.place([order(broken), wanted, order('nobody')]);
      assert.deepEqual(answers.map(kindOf), ['refused', 'state', 'refused']);
      const found = await rig.venue.find([order(broken), wanted]);
      assert.deepEqual([kindOf(found[0]!), found[1] && 'status' in found[1]], ['unknown', true]);
      const balances = await rig.venue.freeBalances([broken, userId, 'nobody'], 'USDT', 'SPOT');
      assert.deepEqual(
        [...balances].map(([user, free]) => [user, String(free as Decimal)]),
        [[userId, leftOf1000]],
      );
    });

    it('waits for no balance that is late; the next question gets the answer that is under way', async () => {
      const users = [await rig.user('1000'), await rig.user('2000')];
      const venue = rig.open(30_000);
      const free = async (withinMs?: number) =>
        [...(await venue.freeBalances(users, 'USDT', 'SPOT', { withinMs }))].map(([, amount]) =>
          'unknown' in amount ? amount.unknown : String(amount),
        );
      assert.deepEqual(await free(30_000), ['1000', '2000']);
      await goWrong([
        { on: 'account', apiKey: keyOf(users[0]), times: 1, fault: { kind: 'late answer', ms: 6_000 } },
      ]);
      assert.deepEqual(await free(1_000), ['it takes longer than 1 s', '2000']);
      const asked = async () =>
        (await exchange.requests()).filter(({ apiKey }) => apiKey === keyOf(users[0])).length;
      const before = await asked();
      assert.deepEqual(await free(), ['1000', '2000']);
      assert.equal(await asked(), before);
    });

    it('is sent with the time of the exchange when clocks differ', async () => {
      const userId = await rig.user('1000');
      await place(order(userId, { price: d('20000') }));
      await exchange.clock(8_000);
      const answer = await place(order(userId, { price: d('20000') }));
      await exchange.clock(0);
      assert.equal(kindOf(answer), 'state', JSON.stringify(answer));
      assert.equal(await count(userId), 2);
    });

    it('lists fees that are taken in a third asset', async () => {
      const userId = await rig.account({ spot: { USDT: '1000', BNB: '1' }, paysWithBnb: true });
      const wanted = order(userId, { type: 'market', price: null });
      const answer = await place(wanted);
      assert.ok('state' in answer && answer.state.status === 'filled', JSON.stringify(answer));
      const { trades } = await exchange.ledger();
      const trade = trades.at(-1)!;
      assert.equal(trade.commissionAsset, 'BNB');
      const [fill] = answer.state.fills;
      assert.deepEqual(
        [
          String(fill.baseFee),
          String(fill.quoteFee),
          fill.otherFees!.map(({ asset, amount }) => [asset, String(amount)]),
        ],
        ['0', '0', [['BNB', trade.commission]]],
      );
      const [found] = await rig.venue.find([wanted]);
      assert.ok(found && 'status' in found);
      assert.deepEqual(String(found.fills[0].otherFees![0].amount), trade.commission);
    });

    it('is sent with exactly the figures that were ordered', async () => {
      const userId = await rig.account({ spot: { USDT: '1000000000' } });
      await place(order(userId, { quantity: d('12345.67891'), price: d('20000.01') }));
      const [{ quantity, price }] = await rig.ledgerOrders(userId);
      assert.deepEqual([quantity, price], ['12345.67891', '20000.01']);
    });
  });
