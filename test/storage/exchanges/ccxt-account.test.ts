import assert from 'node:assert/strict';
import { CcxtAccount } from '../../../storage/exchanges/ccxt-account.js';
import { GuardedExchange, type GuardedExchangeOptions } from '../../../storage/exchanges/guarded-exchange.js';
import type { FakeAccount } from '../../support/exchanges/fake-account.js';
import { FakeBinance } from '../../support/exchanges/fake-binance.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const hourMs = 3_600_000;
const btc = { base: 'BTC', quote: 'USDT' };
const apiKey = 'k'.repeat(64);
const secret = 's'.repeat(64);
const key = { apiKey, secret, passphrase: null };

describe('CcxtAccount', () => {
  const context = temporaryRedis();
  let exchange: FakeBinance;
  let account: FakeAccount;

  beforeEach(async () => {
    await context.redis.flushdb();
    const startMs = Math.floor(Date.now() / hourMs) * hourMs - 100 * hourMs;
    exchange = await FakeBinance.open([{ ...btc, candles: randomCandles(101, { startMs }) }]);
    account = { secret, balances: {}, trades: [] };
    exchange.accounts.set(apiKey, account);
  });
  afterEach(() => exchange.close());

  const guard = (options: Partial<GuardedExchangeOptions> = {}) =>
    GuardedExchange.open({
      redis: context.redis,
      id: 'binance',
      url: exchange.url,
      budgetPerMinute: 1e6,
      signal: new AbortController().signal,
      timeoutMs: 2_000,
      ...options,
    });
  const open = async (given = key) => CcxtAccount.open(await guard(), given);
  const failures = () => context.redis.hget('tidemark:circuit:binance', 'failures');

  it('has what is free and what orders hold, digit by digit, and nothing of which there is nothing', async () => {
    account.balances = {
      BTC: { free: '0.10000000000000000001', locked: '0.2' },
      USDT: { free: '12345678901234.12345678' },
      ETH: { free: '0.00000000' },
      币安人生: { free: '5' },
    };
    const balances = await (await open()).balances();
    assert.deepEqual(
      balances.map(({ asset, quantity }) => [asset, String(quantity)]),
      [
        ['BTC', '0.30000000000000000001'],
        ['USDT', '12345678901234.12345678'],
      ],
    );
  });

  it('has the fills of a pair with their fees, and goes on after the last one', async () => {
    account.trades = [
      { symbol: 'BTCUSDT', side: 'buy', quantity: '0.3', price: '100.10', fee: '0.0003 BTC' },
      { symbol: 'ETHUSDT', side: 'buy', quantity: '9', price: '9' },
      { symbol: 'BTCUSDT', side: 'sell', quantity: '0.1', price: '200', fee: '0.02 USDT' },
      { symbol: 'BTCUSDT', side: 'buy', quantity: '1', price: '3', fee: '0.5 BNB' },
    ];
    const opened = await open();
    const page = await opened.fills(btc, null);
    const rows = page!.fills.map((fill) => [
      fill.side,
      ...[fill.quantity, fill.price, fill.baseFee, fill.quoteFee].map(String),
    ]);
    assert.deepEqual(rows, [
      ['buy', '0.3', '100.1', '0.0003', '0'],
      ['sell', '0.1', '200', '0', '0.02'],
      ['buy', '1', '3', '0', '0'],
    ]);
    assert.deepEqual((await opened.fills(btc, page!.cursor))!.fills, []);
    account.trades.push({ symbol: 'BTCUSDT', side: 'sell', quantity: '1', price: '4' });
    assert.equal((await opened.fills(btc, page!.cursor))!.fills.length, 1);
  });

  it('reads a history of many pages to its end', async () => {
    account.trades = Array.from({ length: 2_500 }, (_, n) => ({
      symbol: 'BTCUSDT',
      side: 'buy' as const,
      quantity: '1',
      price: String(n + 1),
    }));
    const page = await (await open()).fills(btc, null);
    assert.equal(page!.fills.length, 2_500);
    assert.equal(String(page!.fills[2_499].price), '2500');
    assert.equal(exchange.asked.filter(({ path }) => path === '/api/v3/myTrades').length, 3);
  });

  it('cannot tell the fills of a pair that is not traded', async () => {
    assert.equal(await (await open()).fills({ base: 'MOON', quote: 'USDT' }, null), null);
  });

  it('knows what the key may do', async () => {
    account.mayTrade = false;
    account.mayWithdraw = true;
    assert.deepEqual(await (await open()).permissions(), { mayTrade: false, mayWithdraw: true });
    account.silent = true;
    await assert.rejects((await open()).permissions(), { code: 'exchange_refused' });
  });

  const refused: [title: string, given: Partial<typeof key>][] = [
    ['a key that is unknown', { apiKey: 'x'.repeat(64) }],
    ['a key of another form', { apiKey: 'short' }],
    ['a wrong secret', { secret: 'wrong' }],
  ];
  for (const [title, given] of refused) {
    it(`is told apart: ${title}; it is no failure of the exchange`, async () => {
      const opened = await open({ ...key, ...given });
      for (let n = 0; n < 7; n++) {
        await assert.rejects(
          opened.balances(),
          (error: { code: string; message: string; details: object; stack: string }) => {
            assert.equal(error.code, 'exchange_refused');
            assert.deepEqual(error.details, { reason: 'key' });
            const text = JSON.stringify(error) + error.message + error.stack;
            assert.ok(!text.includes('signature=') && !text.includes(secret) && !text.includes(apiKey));
            return true;
          },
        );
      }
      assert.equal(await failures(), null);
    });
  }

  it('takes a key that was good and is withdrawn for just that', async () => {
    const opened = await open();
    await opened.balances();
    exchange.accounts.clear();
    await assert.rejects(opened.balances(), { details: { reason: 'key' } });
    assert.equal(await failures(), null);
  });

  it('goes by the clock of the exchange, once it was told to', async () => {
    exchange.offsetMs = -3_600_000;
    const opened = await open();
    await opened.balances();
    await opened.balances();
    const asked = exchange.asked.map(({ path }) => path).filter((path) => path !== '/api/v3/exchangeInfo');
    assert.deepEqual(asked, ['/api/v3/account', '/api/v3/time', '/api/v3/account', '/api/v3/account']);
  });

  it('says so when the exchange refuses its own clock', async () => {
    exchange.fault = ({ path }) =>
      path === '/api/v3/account'
        ? {
            status: 400,
            body: { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' },
          }
        : undefined;
    await assert.rejects((await open()).balances(), {
      code: 'exchange_refused',
      details: { reason: 'clock' },
    });
    assert.equal(await failures(), null);
  });

  it('counts what is a failure of the exchange, without what was sent, and opens the circuit of all', async () => {
    const opened = await open();
    exchange.fault = () => ({ status: 503 });
    for (let n = 0; n < 5; n++)
      await assert.rejects(opened.balances(), (error: { code: string; message: string }) => {
        assert.equal(error.code, 'exchange_unavailable');
        assert.ok(!error.message.includes('signature'));
        return true;
      });
    const asked = exchange.asked.length;
    await assert.rejects(opened.balances(), { code: 'exchange_unavailable', message: /are paused/ });
    assert.equal(exchange.asked.length, asked);
    const kept = JSON.stringify(await context.redis.hgetall('tidemark:circuit:binance'));
    assert.ok(!/signature|timestamp=/.test(kept), kept);
  });

  it('leaves the exchange alone for as long as 429 asks', async () => {
    const opened = await open();
    exchange.fault = () => ({ status: 429, retryAfter: '7' });
    await assert.rejects(opened.balances(), { code: 'exchange_unavailable' });
    exchange.fault = () => undefined;
    await assert.rejects(opened.balances(), { code: 'exchange_unavailable', message: /for 7 s/ });
  });

  it('refuses an answer that holds no number', async () => {
    account.balances = { BTC: { free: 'NaN' } };
    await assert.rejects((await open()).balances(), {
      code: 'exchange_refused',
      details: { reason: 'request' },
    });
  });

  it('never mixes up two users, however their questions cross', async () => {
    const keys = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(64));
    keys.forEach((each, n) =>
      exchange.accounts.set(each, {
        secret: `secret ${n}`,
        balances: { BTC: { free: `${n + 1}` } },
        trades: [],
      }),
    );
    const shared = await guard();
    const accounts = await Promise.all(
      keys.map((each, n) =>
        CcxtAccount.open(shared, { apiKey: each, secret: `secret ${n}`, passphrase: null }),
      ),
    );
    const rounds = await Promise.all(Array.from({ length: 10 }, (_, n) => accounts[n % 5].balances()));
    rounds.forEach(([{ quantity }], n) => assert.equal(String(quantity), String((n % 5) + 1)));
  });
});
