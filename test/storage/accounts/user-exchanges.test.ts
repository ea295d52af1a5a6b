import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AccountFollower } from '../../../jobs/accounts/account-follower.js';
import { PositionFollower } from '../../../jobs/accounts/position-follower.js';
import { newAccount } from '../../../storage/accounts/accounts.js';
import { OpenExchanges } from '../../../storage/exchanges/open-exchanges.js';
import { tryKey } from '../../../storage/exchanges/try-key.js';
import { displacedReason } from '../../../storage/accounts/connections.js';
import { newSubscription } from '../../support/signals/new-subscription.js';
import { UserExchanges } from '../../../storage/accounts/user-exchanges.js';
import type { Storage } from '../../../storage/index.js';
import { openLog } from '../../../storage/process/log.js';
import type { ExchangeKey } from '../../../storage/exchanges/open-ccxt.js';
import { Prices } from '../../../storage/candles/prices.js';
import { removeUser } from '../../../storage/users/remove-user.js';
import { WatchedUsers } from '../../../storage/accounts/watched-users.js';
import type { Settings } from '../../../storage/process/settings.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import type { BookAccount } from '../../support/fake-exchange/book/matching-engine.js';
import type { AccountSetup } from '../../support/fake-exchange/book/exchange-command.js';
import { FakeExchange, type HeldAmounts } from '../../support/fake-exchange/fake-exchange.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';
import { until } from '../../support/process/until.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const hourMs = 3_600_000;
const keyOf = (name: string) => ({
  apiKey: `${name}KEY`.padEnd(64, 'k'),
  secret: `${name}SECRET`.padEnd(64, 's'),
  passphrase: null,
});

describe('UserExchanges', function () {
  this.timeout(30_000);
  const context = temporaryStorage();
  const redis = temporaryRedis();
  const folder = temporaryFolder();
  let exchange: FakeExchange;
  let end: AbortController;
  let running: Promise<unknown>[] = [];
  let users = 0;
  let ada: string;
  let eve: string;

  beforeEach(async () => {
    await redis.redis.flushdb();
    for (const name of ['accounts', 'connections', 'positions', 'leases'])
      await context.db.collection(name).deleteMany({});
    const startMs = Math.floor(Date.now() / hourMs) * hourMs - 100 * hourMs;
    const candles = randomCandles(101, { startMs });
    exchange = await FakeExchange.open(
      ['BTC', 'ETH', 'SOL'].map((base) => ({ base, quote: 'USDT', candles })),
    );
    end = new AbortController();
    running = [];
    [ada, eve] = [`ada${++users}`, `eve${users}`];
  });
  afterEach(async () => {
    end.abort();
    await Promise.all(running);
    await exchange.close();
  });

  const settings = (env: Record<string, string> = {}): Settings =>
    readSettings(
      {
        MARKET: 'demo',
        DATA_DIR: folder.path,
        EXCHANGES: `BINANCE=binance@${exchange.url},KRAKEN=kraken@${exchange.url}`,
        ...env,
      },
      folder.path,
    );
  const open = (env: Record<string, string> = {}, storage: Storage = context.storage) =>
    new UserExchanges(settings(env), storage, redis.redis);
  const asking = ({ exchanges: known }: UserExchanges, env: Record<string, string> = {}) =>
    new OpenExchanges({ settings: settings(env), known, redis: redis.redis, signal: end.signal });
  const connect = (userId: string, name: string, key: ExchangeKey, users = open(), takeover = false) =>
    users.connect(userId, name, key, (...asked) => tryKey(asking(users), ...asked, end.signal), takeover);
  const addAccount = (
    name: string,
    amounts: HeldAmounts = {},
    setup: Partial<AccountSetup> = {},
  ): BookAccount => {
    const { apiKey, secret } = keyOf(name);
    return exchange.account({ apiKey, secret, ...setup }, amounts);
  };
  const log = openLog({ LOG_LEVEL: 'silent' }, 'test');
  /** A market worker's part of the work, in this process. */
  const work = (storage: Storage = context.storage) => {
    const own = open({}, storage);
    const shared = {
      storage,
      redis: redis.redis,
      users: own,
      exchanges: asking(own),
      log,
      signal: end.signal,
    };
    const accounts = new AccountFollower({ ...shared, pollMs: 50, lookMs: 10 });
    const positions = new PositionFollower({
      ...shared,
      market: 'demo',
      tickMs: 1_000,
      watchedMs: 20,
      everyoneMs: 50,
    });
    accounts.start();
    positions.start();
    running.push(accounts.ended(), positions.ended());
  };
  const positionsOf = async (userId: string) =>
    (await context.storage.positions.find(userId))?.positions ?? [];
  const synced = (userId: string, what: (rows: Awaited<ReturnType<typeof positionsOf>>) => boolean) =>
    until('positions', async () => {
      const rows = await positionsOf(userId);
      return what(rows) && rows;
    });

  it('has the paper exchange with a balance for each user', async () => {
    assert.deepEqual(await open().list(ada), [
      {
        exchange: 'PAPER',
        kind: 'paper',
        mayTrade: true,
        objection: null,
        connectedAt: null,
        failures: 0,
        clockLagMs: null,
        pausedSubscriptions: 0,
        syncedAt: null,
        fault: null,
        cash: [{ asset: 'USDT', quantity: '10000' }],
      },
    ]);
  });

  it('connects a key that may not withdraw, for its owner alone', async () => {
    addAccount('ada', {}, { mayTrade: false });
    await connect(ada, 'BINANCE', keyOf('ada'));
    const rows = (await open().list(ada)).map(({ exchange: name, kind, mayTrade }) => [name, kind, mayTrade]);
    assert.deepEqual(rows, [
      ['PAPER', 'paper', true],
      ['BINANCE', 'key', false],
    ]);
    assert.equal((await open().list(eve)).length, 1);
    await assert.rejects(connect(ada, 'BINANCE', keyOf('ada')), {
      code: 'already_exists',
      message: '"BINANCE" is connected already; remove that connection first',
    });
    await assert.rejects(open().disconnect(eve, 'BINANCE'), { message: '"BINANCE" is not connected' });
    await open().disconnect(ada, 'BINANCE');
    assert.equal((await open().list(ada)).length, 1);
    assert.equal(await context.db.collection('connections').countDocuments(), 0);
  });

  it('lets one of several connections to an account of an exchange execute signals: the first, or who has the key and says so', async () => {
    const owner = { email: 'eve@example.com', plan: 'free', passwordHash: 'x' } as const;
    const { id: eve } = await context.storage.users.add(owner);
    const names = { EXCHANGES: `BINANCE=binance@${exchange.url},SECOND=binance@${exchange.url}` };
    const users = open(names);
    for (const name of ['ada', 'eve', 'read']) addAccount(name, {}, { uid: 7, mayTrade: name !== 'read' });
    const has = async (userId: string, name: string) => {
      const found = (await users.list(userId)).find((each) => each.exchange === name)!;
      return found.objection === null;
    };
    const eves = { ...newSubscription(eve, 'a channel'), exchange: 'BINANCE' };
    const followed = await context.storage.subscriptions.add(eves);
    // What may only read claims nothing.
    await connect('reader', 'BINANCE', keyOf('read'), users);
    await connect(eve, 'BINANCE', keyOf('eve'), users);
    await context.storage.subscriptions.change(eve, followed.id, { isPaused: false });
    await connect(ada, 'BINANCE', keyOf('ada'), users);
    assert.deepEqual([await has(eve, 'BINANCE'), await has(ada, 'BINANCE')], [true, false]);
    await users.disconnect(ada, 'BINANCE');
    await connect(ada, 'BINANCE', keyOf('ada'), users, true);
    assert.deepEqual([await has(eve, 'BINANCE'), await has(ada, 'BINANCE')], [false, true]);
    const [{ isPaused, pauseReason }] = await context.storage.subscriptions.ofUser(eve);
    assert.deepEqual([isPaused, pauseReason], [true, displacedReason]);
    // She is told by mail, and nobody is of what they have done themselves.
    const mails = () =>
      context.db.collection('mails').find().project({ _id: 0, kind: 1, email: 1 }).toArray();
    assert.deepEqual(await mails(), [{ kind: 'displaced', email: owner.email }]);
    // The same user twice, under two names.
    await connect(ada, 'SECOND', keyOf('ada'), users);
    assert.deepEqual([await has(ada, 'BINANCE'), await has(ada, 'SECOND')], [true, false]);
    await users.disconnect(ada, 'BINANCE');
    assert.deepEqual([await has(eve, 'BINANCE'), await has(ada, 'SECOND')], [true, false]);
    assert.equal((await mails()).length, 1);
  });

  it('connects accounts of which the exchange tells no id, as many as there are', async () => {
    for (const name of ['ada', 'eve']) addAccount(name, {}, { uid: null });
    await connect(eve, 'BINANCE', keyOf('eve'));
    await connect(ada, 'BINANCE', keyOf('ada'));
    for (const userId of [ada, eve]) assert.equal((await open().list(userId))[1].objection, null);
  });

  it('stores nothing of a key that cannot be used, and says why', async () => {
    const account = addAccount('ada');
    const nothing = async (
      trying: Promise<void>,
      error: { code: string; field?: string; message: RegExp },
    ) => {
      await assert.rejects(
        trying,
        (thrown: { code: string; details: { field?: string }; message: string }) => {
          assert.equal(thrown.code, error.code);
          assert.equal(thrown.details.field, error.field);
          assert.match(thrown.message, error.message);
          assert.ok(!thrown.message.includes(keyOf('ada').secret));
          return true;
        },
      );
      for (const name of ['connections', 'accounts'])
        assert.equal(await context.db.collection(name).countDocuments(), 0);
    };
    const tryOne = (name = 'BINANCE', key = keyOf('ada')) => connect(ada, name, key);
    await nothing(tryOne('binance'), {
      code: 'invalid_input',
      field: 'exchange',
      message: /must be one of PAPER, BINANCE/,
    });
    await nothing(tryOne('PAPER'), { code: 'invalid_input', field: 'exchange', message: /"PAPER" cannot/ });
    await nothing(tryOne('KRAKEN'), {
      code: 'invalid_input',
      field: 'exchange',
      message: /does not report whether/,
    });
    await nothing(tryOne('BINANCE', keyOf('eve')), {
      code: 'invalid_input',
      field: 'apiKey',
      message: /does not accept this key/,
    });
    account.setup.mayWithdraw = true;
    await nothing(tryOne(), {
      code: 'invalid_input',
      field: 'apiKey',
      message: /may withdraw from BINANCE/,
    });
    account.setup.isSilent = true;
    await nothing(tryOne(), {
      code: 'invalid_input',
      field: 'apiKey',
      message: /did not say what the key may do/,
    });
    exchange.fault = ({ path }) =>
      path.includes('apiRestrictions')
        ? { kind: 'status', status: 400, code: -1021, message: 'Timestamp' }
        : undefined;
    await nothing(tryOne(), { code: 'exchange_unavailable', message: /clocks of BINANCE/ });
    exchange.fault = () => ({ kind: 'status', status: 502 });
    await nothing(tryOne(), { code: 'exchange_unavailable', message: /./ });
  });

  it('connects once, however often it is asked at the same time', async () => {
    addAccount('ada');
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => connect(ada, 'BINANCE', keyOf('ada'))),
    );
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(await context.db.collection('connections').countDocuments(), 1);
  });

  it('stores no secret in plain text in the database, the folder or Redis, and lists none', async () => {
    addAccount('ada', { BTC: { free: '1' } });
    await connect(ada, 'BINANCE', keyOf('ada'));
    work();
    await synced(ada, ([btc]) => btc?.pnl === 0);
    const dump = await Promise.all(
      (await context.db.collections()).map(async (each) => JSON.stringify(await each.find().toArray())),
    );
    const files = await Promise.all(
      (await readdir(folder.path)).map((name) => readFile(join(folder.path, name), 'latin1')),
    );
    const kept: string[] = [];
    for (const key of await redis.redis.keys('*')) {
      const type = await redis.redis.type(key);
      kept.push(key, type === 'hash' ? JSON.stringify(await redis.redis.hgetall(key)) : '');
      if (type === 'string') kept.push((await redis.redis.get(key)) ?? '');
    }
    const text = [...dump, ...files, ...kept, JSON.stringify(await open().list(ada))].join('\n');
    assert.ok(text.length > 1_000);
    for (const secret of [keyOf('ada').secret, keyOf('ada').apiKey]) {
      const bytes = Buffer.from(secret);
      for (const form of [secret, bytes.toString('base64').slice(0, 40), bytes.toString('hex')])
        assert.ok(!text.includes(form));
    }
  });

  it('does not open the key of another user that was put in the place of one', async () => {
    addAccount('ada', { BTC: { free: '1' } });
    addAccount('eve');
    await connect(ada, 'BINANCE', keyOf('ada'));
    await connect(eve, 'BINANCE', keyOf('eve'));
    const connections = context.db.collection('connections');
    const stolen = await connections.findOne({ userId: ada });
    await connections.updateOne({ userId: eve }, { $set: { key: stolen!.key as object } });
    work();
    const fault = await until('the fault', async () => (await open().list(eve))[1].fault);
    assert.equal(fault, 'it could not be read');
    assert.deepEqual(await positionsOf(eve), []);
  });

  it('seals a key again with the first of the secret keys', async () => {
    addAccount('ada');
    await connect(ada, 'BINANCE', keyOf('ada'));
    const before = (await context.storage.connections.find(ada, 'BINANCE'))!;
    const rotated = open({ SECRETS_KEY: 'ab'.repeat(32) });
    await asking(rotated).open(before, context.storage.connections);
    const after = (await context.storage.connections.find(ada, 'BINANCE'))!;
    assert.notEqual(after.key.keyId, before.key.keyId);
    await asking(rotated).open(after, context.storage.connections);
    assert.deepEqual((await context.storage.connections.find(ada, 'BINANCE'))!.key, after.key);
    await assert.rejects(asking(open()).open(after, context.storage.connections), {
      code: 'secret_unreadable',
    });
  });

  it('shows positions of the paper account at the prices of the market', async () => {
    const prices = new Prices(redis.redis);
    const tick = { base: 'BTC', quote: 'USDT', change24hPercent: -1.5, time: Date.now() };
    await prices.put('demo', [{ ...tick, price: 50_000 }]);
    await open().give(ada, [
      { asset: 'BTC', quantity: '0.5' },
      { asset: 'USDT', quantity: '1' },
    ]);
    const [position] = await positionsOf(ada);
    const expected = {
      coin: 'BTC',
      exchange: 'PAPER',
      quantity: 0.5,
      currentPrice: 50_000,
      change24h: -1.5,
      pnl: 0,
      costBasis: 'since_connection',
      pricedAt: tick.time,
    };
    assert.deepEqual(position, expected);
    await new WatchedUsers(redis.redis).seen(ada);
    work();
    await prices.put('demo', [{ ...tick, price: 50_000.1 }]);
    const [moved] = await synced(ada, ([btc]) => btc?.currentPrice === 50_000.1);
    assert.deepEqual(moved, { ...expected, currentPrice: 50_000.1, pnl: 0.05 });
    assert.equal((await positionsOf(eve)).length, 0);
  });

  it('shows neither profit nor loss right after holdings were added, however small the price', async () => {
    const tick = { base: 'BTC', quote: 'USDT', change24hPercent: 0, time: Date.now() };
    await new Prices(redis.redis).put('demo', [{ ...tick, price: 1.1462043441905337e-9 }]);
    await open().give(ada, [{ asset: 'BTC', quantity: '123456789012.123456789' }]);
    const [position] = await positionsOf(ada);
    assert.deepEqual([position.pnl, position.currentPrice], [0, 1.1462043441905337e-9]);
  });

  it('keeps the positions of all current beside an account that holds more than anything is worth', async () => {
    const prices = new Prices(redis.redis);
    const tick = { base: 'BTC', quote: 'USDT', change24hPercent: 0, time: Date.now() };
    await prices.put('demo', [{ ...tick, price: 1e-20 }]);
    const most = '9'.repeat(30);
    // The worth has more digits than a quantity may have, and so has the sum.
    for (let n = 0; n < 2; n++) await open().give(ada, [{ asset: 'BTC', quantity: most }]);
    await open().give(eve, [{ asset: 'BTC', quantity: '1' }]);
    for (const userId of [ada, eve]) await new WatchedUsers(redis.redis).seen(userId);
    work();
    await prices.put('demo', [{ ...tick, price: 1 }]);
    const [own] = await synced(eve, ([btc]) => btc?.currentPrice === 1);
    assert.equal(own.pnl, 1);
    const [huge] = await synced(ada, ([btc]) => btc?.currentPrice === 1);
    assert.deepEqual([huge.quantity, huge.pnl], [2e30, 2e30]);
  });

  it('keeps the positions of others current beside an account that cannot be read', async () => {
    const prices = new Prices(redis.redis);
    const tick = { base: 'BTC', quote: 'USDT', change24hPercent: 0, time: Date.now() };
    await prices.put('demo', [{ ...tick, price: 50_000 }]);
    for (const userId of [ada, eve]) {
      await open().give(userId, [{ asset: 'BTC', quantity: '1' }]);
      await new WatchedUsers(redis.redis).seen(userId);
    }
    const broken = { $set: { 'holdings.0.quantity': 'some' } };
    await context.db.collection('accounts').updateOne({ userId: ada }, broken);
    work();
    await prices.put('demo', [{ ...tick, price: 50_001 }]);
    await synced(eve, ([btc]) => btc?.currentPrice === 50_001);
    const [kept] = await positionsOf(ada);
    assert.deepEqual([kept.quantity, kept.currentPrice], [1, 50_000]);
  });

  it('refuses holdings of which there is no price, all of them', async () => {
    const giving = open().give(ada, [
      { asset: 'USDT', quantity: '1' },
      { asset: 'MOON', quantity: '1' },
    ]);
    await assert.rejects(giving, {
      code: 'invalid_input',
      message: 'there is no price of "MOON" in the market "demo"',
    });
    for (const quantity of ['0', '-1', 'x', '1000000000000.01'])
      await assert.rejects(open().give(ada, [{ asset: 'USDT', quantity }]), { code: 'invalid_input' });
    assert.equal(await context.storage.accounts.find(ada, 'PAPER'), null);
  });

  it('keeps the positions of connected accounts: cost by fills, what came otherwise at the price', async () => {
    const account = addAccount('ada', {
      BTC: { free: '0.5', locked: '0.499' },
      ETH: { free: '3' },
      LDSOL: { free: '7' },
      USDT: { free: '50' },
      USDC: { free: '5' },
    });
    exchange.past(account, [
      { symbol: 'BTCUSDT', side: 'BUY', quantity: '1', price: '10', fee: '0.001 BTC' },
      { symbol: 'ETHUSDT', side: 'BUY', quantity: '1', price: '20', fee: '0.02 USDT' },
    ]);
    await connect(ada, 'BINANCE', keyOf('ada'));
    work();
    const rows = await synced(
      ada,
      (all) => all.length === 3 && all.every((each) => each.coin === 'LDSOL' || each.pnl !== null),
    );
    const [btc, eth, lent] = rows;
    const price = btc.currentPrice!;
    assert.deepEqual(
      rows.map(({ coin, quantity, costBasis }) => [coin, quantity, costBasis]),
      [
        ['BTC', 0.999, 'average'],
        ['ETH', 3, 'since_connection'],
        ['LDSOL', 7, 'since_connection'],
      ],
    );
    assert.ok(Math.abs(btc.pnl! - (0.999 * price - 10)) < 1e-9 * price);
    assert.ok(Math.abs(eth.pnl! - (price - 20.02)) < 1e-6 * price);
    assert.deepEqual([lent.currentPrice, lent.change24h, lent.pnl, lent.pricedAt], [null, null, null, null]);
    const [, { cash }] = await open().list(ada);
    assert.deepEqual(cash, [
      { asset: 'USDC', quantity: '5' },
      { asset: 'USDT', quantity: '50' },
    ]);
    // A sale: half of the cost goes with it.
    await new WatchedUsers(redis.redis).seen(ada);
    exchange.past(account, [{ symbol: 'BTCUSDT', side: 'SELL', quantity: '0.4995', price: '99' }]);
    exchange.hold(account, { BTC: { free: '0.4995' } });
    const [half] = await synced(ada, ([first]) => first?.quantity === 0.4995);
    assert.equal(half.costBasis, 'average');
    assert.ok(Math.abs(half.pnl! - (0.4995 * half.currentPrice! - 5)) < 1e-9 * price);
    // What was sold is gone.
    exchange.hold(account, {
      ...Object.fromEntries(['BTC', 'ETH', 'LDSOL', 'USDC'].map((asset) => [asset, { free: '0' }])),
      USDT: { free: '1' },
    });
    await synced(ada, (all) => all.length === 0);
  });

  it('reads each account in one of two workers at a time, and not more often than it should', async () => {
    const names = ['ada', 'eve'];
    for (const name of names) addAccount(name, { BTC: { free: '1' } });
    await connect(ada, 'BINANCE', keyOf('ada'));
    await connect(eve, 'BINANCE', keyOf('eve'));
    exchange.forget();
    work();
    work(context.another());
    await Promise.all([ada, eve].map((user) => synced(user, ([btc]) => btc?.pnl === 0)));
    // Each is read once: no user looks at it, so the next reading is 15 poll intervals away.
    const reads = exchange.asked.filter(({ path }) => path === '/api/v3/account').length;
    assert.ok(reads >= 4 && reads <= 8, `${reads} readings`);
  });

  it('shows its owner the error, keeps the positions, and continues when the error is fixed', async () => {
    const account = addAccount('ada', { BTC: { free: '1' } });
    await connect(ada, 'BINANCE', keyOf('ada'));
    work();
    await synced(ada, ([btc]) => btc?.pnl === 0);
    exchange.accounts.clear();
    await new WatchedUsers(redis.redis).seen(ada);
    const fault = await until('the fault', async () => (await open().list(ada))[1].fault);
    assert.match(fault, /Invalid API-key/);
    assert.equal((await positionsOf(ada)).length, 1);
    const status = await until('the status', async () => {
      const found = await context.storage.positions.find(ada);
      return found?.accounts.find((each) => each.fault !== null);
    });
    assert.equal(status.exchange, 'BINANCE');
    exchange.accounts.set(keyOf('ada').apiKey, account);
    exchange.hold(account, { BTC: { free: '2' } });
    await context.db.collection('accounts').updateOne({ userId: ada }, { $set: { dueAt: 0 } });
    await synced(ada, ([btc]) => btc?.quantity === 2);
    assert.equal((await open().list(ada))[1].fault, null);
  });

  it('goes with its user', async () => {
    addAccount('ada');
    await connect(ada, 'BINANCE', keyOf('ada'));
    await open().give(ada, [{ asset: 'USDT', quantity: '1' }]);
    const { id } = await context.storage.users.add({
      email: `${ada}@example.com`,
      plan: 'free',
      passwordHash: 'x',
    });
    for (const name of ['connections', 'accounts'])
      await context.db.collection(name).updateMany({ userId: ada }, { $set: { userId: id } });
    assert.equal(await removeUser(context.storage, id), true);
    for (const name of ['connections', 'accounts'])
      assert.equal(await context.db.collection(name).countDocuments(), 0);
  });

  it('pauses the account of a limited key for as long as the exchange asks, and reads the others', async () => {
    for (const [user, name] of [[ada, 'ada'] as const, [eve, 'eve'] as const]) {
      addAccount(name, { BTC: { free: '1' } });
      await connect(user, 'BINANCE', keyOf(name));
    }
    exchange.fault = ({ apiKey }) =>
      apiKey === keyOf('ada').apiKey
        ? {
            kind: 'status',
            status: 429,
            retryAfter: '600',
            headers: { 'X-SAPI-USED-UID-WEIGHT-1M': '180001' },
          }
        : undefined;
    work();
    await synced(eve, ([btc]) => btc?.pnl === 0);
    const paused = await until('the pause', async () => {
      const account = await context.storage.accounts.find(ada, 'BINANCE');
      return account?.failures === 1 && account;
    });
    const pauseMs = paused.dueAt! - Date.now();
    assert.ok(pauseMs > 590_000 && pauseMs <= 600_000, `${pauseMs} ms`);
    assert.match(paused.fault!, /^requests with this key to binance are paused for 600 s/);
    const signed = exchange.asked.filter(({ status }) => status === 429);
    assert.equal(signed.length, 1);
    // Another user connects, and the market data goes on.
    const account = addAccount('kim');
    await connect(`kim${users}`, 'BINANCE', keyOf('kim'));
    assert.ok(account);
    assert.equal(await redis.redis.exists('tidemark:circuit:binance'), 0);
  });

  it('reads the others where accounts that are due before them cannot be stored', async () => {
    for (const name of ['ada', 'eve', 'kim']) addAccount(name, { BTC: { free: '1' } });
    const kim = `kim${users}`;
    const accounts = context.db.collection<{ _id: string }>('accounts');
    const [fault, first] = ['the database refuses it', { partialFilterExpression: { failures: 77 } }];
    for (const [n, user] of [ada, eve, kim].entries()) {
      await connect(user, 'BINANCE', keyOf(user.replace(/\d+$/, '')));
      await accounts.updateOne({ userId: user }, { $set: { dueAt: n } });
    }
    // Both have failed 76 times, and MongoDB keeps one account that has failed 77 times: the one that is there.
    await accounts.updateMany({ userId: { $in: [ada, eve] } }, { $set: { failures: 76, fault } });
    for (const name of ['ada', 'eve']) exchange.accounts.delete(keyOf(name).apiKey);
    await accounts.insertOne({ _id: 'other', failures: 77 } as never);
    const index = await accounts.createIndex({ failures: 1 }, { unique: true, ...first });
    try {
      work();
      await synced(kim, ([btc]) => btc?.quantity === 1);
      assert.equal((await context.storage.accounts.find(ada, 'BINANCE'))!.fault, fault);
    } finally {
      end.abort();
      await Promise.all(running);
      await accounts.dropIndex(index);
    }
  });

  it('removes an account that was left without a connection, and not one that is about to get it', async () => {
    const { accounts } = context.storage;
    const left = { ...newAccount(ada, 'BINANCE', 0), failures: 5 };
    await accounts.startAnew(left);
    await accounts.startAnew(newAccount(eve, 'BINANCE', 0));
    work();
    await until('it is removed', async () => (await accounts.find(ada, 'BINANCE')) === null);
    const visited = await until('the other is visited', async () => {
      const account = await accounts.find(eve, 'BINANCE');
      return account!.failures > 0 && account!;
    });
    // It is no fault of its owner's, and is looked at again within seconds.
    assert.equal(visited.fault, null);
    assert.ok(visited.dueAt! - Date.now() <= 1_000 * 2 ** visited.failures);
  });

  it('forgets an account whose connection is gone', async () => {
    addAccount('ada', { BTC: { free: '1' } });
    await connect(ada, 'BINANCE', keyOf('ada'));
    work();
    await synced(ada, ([btc]) => btc?.pnl === 0);
    await open().disconnect(ada, 'BINANCE');
    assert.deepEqual(await positionsOf(ada), []);
    assert.equal(await context.db.collection('accounts').countDocuments(), 0);
  });
});
