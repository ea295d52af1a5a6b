import assert from 'node:assert/strict';
import { CcxtAccount } from '../../../storage/exchanges/ccxt-account.js';
import { CcxtSource } from '../../../storage/exchanges/ccxt-source.js';
import { GuardedExchange, type GuardedExchangeOptions } from '../../../storage/exchanges/guarded-exchange.js';
import type { BookAccount } from '../../support/fake-exchange/book/matching-engine.js';
import { FakeExchange } from '../../support/fake-exchange/fake-exchange.js';
import type { RequestFault } from '../../support/fake-exchange/fault-script.js';
import { randomCandles } from '../../support/candles/random-candles.js';
import { until } from '../../support/process/until.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const hourMs = 3_600_000;
const btc = { base: 'BTC', quote: 'USDT' };
const apiKey = 'k'.repeat(64);
const secret = 's'.repeat(64);
const key = { apiKey, secret, passphrase: null };

describe('CcxtAccount', () => {
  const context = temporaryRedis();
  let exchange: FakeExchange;
  let account: BookAccount;

  beforeEach(async () => {
    await context.redis.flushdb();
    const startMs = Math.floor(Date.now() / hourMs) * hourMs - 100 * hourMs;
    exchange = await FakeExchange.open([{ ...btc, candles: randomCandles(101, { startMs }) }]);
    account = exchange.account({ apiKey, secret });
  });
  afterEach(() => exchange.close());

  const guard = (options: Partial<GuardedExchangeOptions> = {}) =>
    GuardedExchange.open({
      redis: context.redis,
      id: 'binance',
      url: exchange.url,
      budgetPerMinute: 1e6,
      signal: new AbortController().signal,
      timeoutMs: 30_000,
      ...options,
    });
  const open = async (given = key) => CcxtAccount.open(await guard(), given);
  const failures = () => context.redis.hget('tidemark:circuit:binance', 'failures');

  it('sums free and locked quantities exactly, and leaves out assets with quantity 0', async () => {
    exchange.hold(account, {
      BTC: { free: '0.10000000000000000001', locked: '0.2' },
      USDT: { free: '12345678901234.12345678' },
      ETH: { free: '0.00000000' },
      币安人生: { free: '5' },
    });
    const balances = await (await open()).balances();
    assert.deepEqual(
      balances.map(({ asset, quantity }) => [asset, String(quantity)]),
      [
        ['BTC', '0.30000000000000000001'],
        ['USDT', '12345678901234.12345678'],
      ],
    );
  });

  it('reads the fills of a pair with their fees, and continues after the last one', async () => {
    exchange.past(account, [
      { symbol: 'BTCUSDT', side: 'BUY', quantity: '0.3', price: '100.10', fee: '0.0003 BTC' },
      { symbol: 'ETHUSDT', side: 'BUY', quantity: '9', price: '9' },
      { symbol: 'BTCUSDT', side: 'SELL', quantity: '0.1', price: '200', fee: '0.02 USDT' },
      { symbol: 'BTCUSDT', side: 'BUY', quantity: '1', price: '3', fee: '0.5 BNB' },
    ]);
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
    exchange.past(account, [{ symbol: 'BTCUSDT', side: 'SELL', quantity: '1', price: '4' }]);
    assert.equal((await opened.fills(btc, page!.cursor))!.fills.length, 1);
  });

  it('reads a history of many pages to its end', async () => {
    exchange.past(
      account,
      Array.from({ length: 2_500 }, (_, n) => ({
        ...{ symbol: 'BTCUSDT', side: 'BUY', quantity: '1', price: String(n + 1) },
      })),
    );
    const page = await (await open()).fills(btc, null);
    assert.equal(page!.fills.length, 2_500);
    assert.equal(String(page!.fills[2_499].price), '2500');
    assert.equal(exchange.asked.filter(({ path }) => path === '/api/v3/myTrades').length, 3);
  });

  it('answers null for the fills of a pair that is not listed', async () => {
    assert.equal(await (await open()).fills({ base: 'MOON', quote: 'USDT' }, null), null);
  });

  it('reads the permissions of the key', async () => {
    account.setup.mayTrade = false;
    account.setup.mayWithdraw = true;
    assert.deepEqual(await (await open()).permissions(), {
      mayTrade: false,
      mayWithdraw: true,
      accounts: ['SPOT'],
    });
    account.setup.isSilent = true;
    await assert.rejects((await open()).permissions(), { code: 'exchange_refused' });
  });

  const refused: [title: string, given: Partial<typeof key>][] = [
    ['a key that is unknown', { apiKey: 'x'.repeat(64) }],
    ['a key of another form', { apiKey: 'short' }],
    ['a wrong secret', { secret: 'wrong' }],
  ];
  for (const [title, given] of refused) {
    it(`refuses ${title} with reason "key", which does not count as a failure of the exchange`, async () => {
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

  it('refuses a key that was accepted before and is revoked, with reason "key"', async () => {
    const opened = await open();
    await opened.balances();
    exchange.accounts.clear();
    await assert.rejects(opened.balances(), { details: { reason: 'key' } });
    assert.equal(await failures(), null);
  });

  it("uses the clock of the exchange after the exchange refused this machine's time", async () => {
    exchange.setTime(Date.now() - 3_600_000);
    const opened = await open();
    await opened.balances();
    await opened.balances();
    const asked = exchange.asked.map(({ path }) => path).filter((path) => path !== '/api/v3/exchangeInfo');
    assert.deepEqual(asked, ['/api/v3/account', '/api/v3/time', '/api/v3/account', '/api/v3/account']);
  });

  it('has reason "clock" when the exchange refuses its own time', async () => {
    exchange.fault = ({ path }) =>
      path === '/api/v3/account'
        ? {
            kind: 'status',
            status: 400,
            code: -1021,
            message: 'Timestamp for this request is outside of the recvWindow.',
          }
        : undefined;
    await assert.rejects((await open()).balances(), {
      code: 'exchange_unavailable',
      details: { reason: 'clock' },
    });
    assert.equal(await failures(), null);
  });

  it('opens the shared circuit after failures of the exchange, without storing the signed address', async () => {
    const opened = await open();
    exchange.fault = () => ({ kind: 'status', status: 503 });
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

  it('pauses for as long as a 429 asks for', async () => {
    const opened = await open();
    exchange.fault = () => ({ kind: 'status', status: 429, retryAfter: '7' });
    await assert.rejects(opened.balances(), { code: 'exchange_unavailable' });
    exchange.fault = () => undefined;
    await assert.rejects(opened.balances(), { code: 'exchange_unavailable', message: /for [4-7] s/ });
  });

  /** The address limit of Binance comes with the weight that the address has used, the limit of an account with its own. */
  const usedUp = (scope: 'key' | 'address', seconds: string): RequestFault => ({
    ...{ kind: 'status', status: 429 },
    retryAfter: seconds,
    headers: { [scope === 'key' ? 'X-SAPI-USED-UID-WEIGHT-1M' : 'X-MBX-USED-WEIGHT-1M']: '180001' },
    body: { code: -1003, msg: 'Too many requests.' },
  });

  it('pauses the key alone where the exchange counts by key: other keys and the market data go on', async () => {
    const other = { ...key, apiKey: 'o'.repeat(64) };
    exchange.account({ apiKey: other.apiKey, secret }, { BTC: { free: '2' } });
    const [limited, free] = await Promise.all([open(), open(other)]);
    exchange.fault = (asked) => (asked.apiKey === apiKey ? usedUp('key', '70') : undefined);
    await assert.rejects(limited.balances(), {
      code: 'exchange_unavailable',
      message: 'requests with this key to binance are paused for 70 s: too many requests (429)',
      details: { retryAfterMs: 70_000 },
    });
    exchange.fault = () => undefined;
    const asked = exchange.asked.length;
    // Of any process, whatever it wants to know of this account.
    for (const again of [limited, await open()])
      await assert.rejects(
        again.balances(),
        ({ code, details }: { code: string; details: { retryAfterMs: number } }) =>
          code === 'exchange_unavailable' && details.retryAfterMs > 50_000 && details.retryAfterMs <= 70_000,
      );
    assert.ok(exchange.asked.slice(asked).every(({ path }) => path === '/api/v3/exchangeInfo'));
    assert.equal(String((await free.balances())[0].quantity), '2');
    assert.equal((await new CcxtSource(await guard()).ticks([btc])).length, 1);
    assert.equal(await context.redis.exists('tidemark:circuit:binance'), 0);
  });

  it('pauses the exchange for all where the limit is that of the address', async () => {
    const opened = await open();
    exchange.fault = () => usedUp('address', '7');
    await assert.rejects(opened.balances(), { code: 'exchange_unavailable' });
    exchange.fault = () => undefined;
    const source = new CcxtSource(await guard());
    await assert.rejects(source.pairs(), {
      code: 'exchange_unavailable',
      message: /binance are paused for 7 s/,
    });
  });

  /** Sends as often as it takes for failures of the exchange to open the circuit. */
  const refusedOften = async (opened: CcxtAccount, error: object) => {
    for (let n = 0; n < 7; n++) await assert.rejects(opened.balances(), error);
    assert.equal(await failures(), null);
    assert.equal((await new CcxtSource(await guard()).ticks([btc])).length, 1);
  };

  it('sends nothing with a key that HTTP does not allow, which does not count as a failure of the exchange', async () => {
    for (const bad of ['\n', '\r\n', '\0', '\u2028']) {
      const opened = await open({ ...key, apiKey: `${apiKey.slice(1)}${bad}k` });
      await refusedOften(opened, {
        code: 'exchange_refused',
        message: 'the request cannot be sent: the key holds characters that HTTP does not allow',
        details: { reason: 'key' },
      });
    }
    assert.ok(exchange.asked.every(({ path }) => path !== '/api/v3/account'));
  });

  const particular: [what: string, fault: RequestFault, code: string][] = [
    [
      'a firewall blocks it',
      { kind: 'status', status: 403, body: '<html>Request blocked</html>' },
      'exchange_unavailable',
    ],
    [
      'its headers are too large',
      { kind: 'status', status: 400, body: '<html>400 Bad Request</html>' },
      'exchange_unavailable',
    ],
    [
      'it may not do this',
      { kind: 'status', status: 401, body: { code: -1002, msg: 'Not authorized' } },
      'exchange_refused',
    ],
    [
      'its account is missing',
      { kind: 'status', status: 404, body: '<html>not found</html>' },
      'exchange_unavailable',
    ],
    [
      'only its own answer reads like an overload',
      {
        kind: 'status',
        status: 200,
        body: { code: -1008, msg: 'Too many requests. Please try again later.' },
      },
      'exchange_unavailable',
    ],
  ];
  for (const [what, fault, code] of particular)
    it(`does not count it as a failure of the exchange when a key fails because ${what}`, async () => {
      const opened = await open();
      exchange.fault = (asked) => (asked.apiKey === apiKey ? fault : undefined);
      await refusedOften(opened, { code });
    });

  it('leaves the trial to another request when the exchange refuses a key, which does not close the circuit', async () => {
    const limits = { circuit: { failures: 1, pauseMs: 100, longestPauseMs: 100, trialMs: 60_000 } };
    const source = new CcxtSource(await guard(limits));
    await source.pairs();
    const opened = await CcxtAccount.open(await guard(limits), { ...key, apiKey: 'x'.repeat(64) });
    exchange.fault = ({ path }) => (path.includes('ticker') ? { kind: 'status', status: 500 } : undefined);
    await assert.rejects(source.ticks([btc]), { code: 'exchange_unavailable' });
    const isOver = async () =>
      Number(await context.redis.hget('tidemark:circuit:binance', 'openUntil')) < Date.now();
    await until('the pause is over', isOver);
    await assert.rejects(opened.balances(), { details: { reason: 'key' } });
    assert.equal(await failures(), '1');
    exchange.fault = () => undefined;
    assert.equal((await source.ticks([btc])).length, 1);
    assert.equal(await failures(), null);
  });

  it('opens the circuit where accounts are polled: what is answered from memory is no success', async () => {
    const shared = await guard();
    const source = new CcxtSource(shared);
    await source.pairs();
    exchange.fault = () => ({ kind: 'status', status: 503 });
    for (let n = 0; n < 5; n++) {
      await assert.rejects(source.ticks([btc]), { code: 'exchange_unavailable', message: /503/ });
      // A visit to an account begins with the markets, and ends with the pairs that are traded. Both are in memory.
      await CcxtAccount.open(shared, key);
      assert.deepEqual(await source.traded([btc]), [btc]);
      await assert.rejects(source.hours({ base: 'NOPE', quote: 'USDT' }, 0, 1), { code: 'exchange_refused' });
    }
    await assert.rejects(source.ticks([btc]), { message: /^requests to binance are paused for/ });
    assert.equal(exchange.asked.filter(({ path }) => path.includes('ticker')).length, 5);
    // The open circuit stops requests only.
    assert.deepEqual(await source.traded([btc]), [btc]);
  });

  it('tells all users why the circuit is open without the answer that one of them got', async () => {
    const opened = await open();
    exchange.fault = () => ({ kind: 'status', status: 503, body: '<html>for ada alone</html>' });
    for (let n = 0; n < 5; n++) await assert.rejects(opened.balances(), { code: 'exchange_unavailable' });
    assert.equal(
      await context.redis.hget('tidemark:circuit:binance', 'reason'),
      'it answers with status 503',
    );
  });

  it('cannot read a balance that is no number, and asks again later', async () => {
    const body = { balances: [{ asset: 'BTC', free: 'NaN', locked: '0' }] };
    exchange.fault = ({ path }) =>
      path === '/api/v3/account' ? { kind: 'status', status: 200, body } : undefined;
    await assert.rejects((await open()).balances(), { code: 'exchange_unavailable' });
    assert.equal(await failures(), null);
  });

  it('keeps the requests of concurrent users apart', async () => {
    const keys = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(64));
    keys.forEach((each, n) =>
      exchange.account({ apiKey: each, secret: `secret ${n}` }, { BTC: { free: `${n + 1}` } }),
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
