import assert from 'node:assert/strict';
import { newAccount, type StoredHolding } from '../../../storage/accounts/accounts.js';
import { CcxtAccount } from '../../../storage/exchanges/ccxt-account.js';
import { syncAccount } from '../../../jobs/accounts/sync-account.js';
import { CcxtSource } from '../../../storage/exchanges/ccxt-source.js';
import { GuardedExchange } from '../../../storage/exchanges/guarded-exchange.js';
import { findVenue } from '../../../storage/exchanges/venues/index.js';
import { decimalOf } from '../../../storage/accounts/position-updater.js';
import type { AccountSetup, PastTrade } from '../../support/fake-exchange/book/exchange-command.js';
import type { BookAccount } from '../../support/fake-exchange/book/matching-engine.js';
import type { DialectName } from '../../support/fake-exchange/dialects.js';
import { FakeExchange } from '../../support/fake-exchange/fake-exchange.js';
import type { RequestFault } from '../../support/fake-exchange/fault-script.js';
import { temporaryRedis } from '../../support/servers/temporary-redis.js';

const dayMs = 86_400_000;
const key = { apiKey: 'k'.repeat(24), secret: 's'.repeat(36), passphrase: 'the passphrase' };
const btc = { base: 'BTC', quote: 'USDT' };
const prices = { BTC: '50', ETH: '7' };

interface Case {
  title: string;
  id: DialectName;
  /** The path that lists the trades of an account. */
  tradesPath: string;
  /** The fields of its trades, by meaning. */
  fields: Record<'quantity' | 'price' | 'id' | 'time' | 'fee', readonly string[]>;
  /** Whether its rows say how the list goes on. */
  canContinue: boolean;
  setup?: Partial<AccountSetup>;
}

const kucoinFields = {
  ...{ quantity: ['size'], price: ['price'], id: ['tradeId', 'id'], fee: ['fee'] },
  time: ['createdAt', 'executionTime'],
};

const cases: Case[] = [
  {
    ...{ title: 'Bybit', id: 'bybit', tradesPath: '/v5/execution/list', canContinue: true },
    fields: {
      ...{ quantity: ['execQty'], price: ['execPrice'], id: ['execId'] },
      ...{ time: ['execTime'], fee: ['execFee'] },
    },
  },
  {
    ...{ title: 'KuCoin, the classic account', id: 'kucoin', tradesPath: '/api/v1/fills' },
    ...{ fields: kucoinFields, canContinue: false, setup: { isHighFrequency: false } },
  },
  {
    ...{ title: 'KuCoin, the high-frequency account', id: 'kucoin', tradesPath: '/api/v1/hf/fills' },
    ...{ fields: kucoinFields, canContinue: true },
  },
  {
    ...{
      title: 'KuCoin, the unified account',
      id: 'kucoin',
      tradesPath: '/api/ua/v1/unified/order/execution',
    },
    ...{ fields: kucoinFields, canContinue: false, setup: { isUnified: true } },
  },
];

/** How each says that there were too many requests. */
const tooMany = {
  bybit: { code: 10006, message: 'Too many visits. Exceeded the API Rate Limit.' },
  kucoin: { code: 429000, message: 'too many requests' },
};

for (const { title, id, tradesPath, fields, canContinue, setup } of cases)
  describe(`the account of ${title}`, () => {
    const context = temporaryRedis();
    let exchange: FakeExchange;
    let account: BookAccount;

    beforeEach(async () => {
      await context.redis.flushdb();
      const pairs = Object.entries(prices).map(([base, price]) => ({ base, quote: 'USDT', price }));
      exchange = await FakeExchange.open(pairs, id);
      account = exchange.account({ ...key, ...setup });
    });
    afterEach(() => exchange.close());

    const guard = () =>
      GuardedExchange.open({
        redis: context.redis,
        id,
        url: exchange.url,
        budgetPerMinute: 1e6,
        signal: new AbortController().signal,
        timeoutMs: 30_000,
      });
    const open = async (given = key) => CcxtAccount.open(await guard(), given);
    const trade = (base: string, given: Partial<PastTrade>, daysAgo: number): PastTrade => ({
      symbol: `${base}USDT`,
      side: 'BUY',
      quantity: '1',
      price: '10',
      time: Date.now() - Math.round(daysAgo * dayMs),
      ...given,
    });
    /** One visit, at the prices of the exchange. */
    const visit = async (known: StoredHolding[] = []) => {
      const source = new CcxtSource(await guard());
      return syncAccount({ ...newAccount('ada', 'X', 0), holdings: known }, await open(), {
        nowMs: Date.now(),
        async pricesOf(assets) {
          const pairs = await source.traded(assets.map((base) => ({ base, quote: 'USDT' })));
          const ticks = pairs.length > 0 ? await source.ticks(pairs) : [];
          return new Map(ticks.map(({ base, price }) => [base, decimalOf(price)]));
        },
      });
    };
    const rowsOf = (holdings: readonly StoredHolding[]) =>
      holdings.map(({ asset, quantity, basis, cost }) => [
        asset,
        quantity,
        basis,
        cost === null ? null : Number(cost),
      ]);

    it('becomes holdings: fills give an average cost, a quantity without fills costs its price, without a price there is no cost', async () => {
      exchange.past(account, [
        trade('BTC', { price: '10', fee: '0.001 BTC' }, 60),
        trade('BTC', { price: '20', fee: '0.002 BTC' }, 30),
        trade('BTC', { side: 'SELL', quantity: '0.5', price: '40', fee: '0.02 USDT' }, 2),
        trade('ETH', { quantity: '2', price: '3', fee: '0.004 ETH' }, 80),
      ]);
      exchange.hold(account, {
        BTC: { free: '1.4', locked: '0.097' },
        ETH: { free: '5' },
        MOON: { free: '7' },
        USDT: { free: '12.5' },
        SOL: { free: '0' },
      });
      const { holdings, cash, isWhole } = await visit();
      assert.equal(isWhole, true);
      // 30 USDT bought 0.999 + 1.998 BTC, of which 0.5 are sold; 6 USDT bought 1.996 ETH, the other ETH count 7 USDT each.
      const [btcRow, ...others] = rowsOf(holdings);
      assert.deepEqual(btcRow.slice(0, 3), ['BTC', '1.497', 'average']);
      assert.ok(Math.abs(Number(btcRow[3]) - (30 * 1.497) / 1.997) < 1e-12);
      assert.deepEqual(others, [
        ['ETH', '5', 'since_connection', 6 + (5 - 1.996) * 7],
        ['MOON', '7', 'since_connection', null],
      ]);
      assert.deepEqual(cash, [{ asset: 'USDT', quantity: '12.5', locked: '0' }]);
      assert.deepEqual(
        holdings.map(({ locked }) => locked),
        ['0.097', '0', '0'],
      );

      // After another fill, the next visit reads the new fill only.
      exchange.past(account, [trade('BTC', { quantity: '0.503', price: '60' }, 0)]);
      exchange.hold(account, { BTC: { free: '2' } });
      const next = await visit(holdings);
      const [more] = rowsOf(next.holdings);
      assert.deepEqual(more.slice(0, 3), ['BTC', '2', 'average']);
      assert.ok(Math.abs(Number(more[3]) - ((30 * 1.497) / 1.997 + 0.503 * 60)) < 1e-12);
    });

    it('marks a holding that was bought before the history begins', async () => {
      exchange.past(account, [trade('BTC', { price: '1' }, 85), trade('BTC', { price: '2' }, 83)]);
      exchange.hold(account, { BTC: { free: '2' } });
      const { holdings } = await visit();
      assert.deepEqual(rowsOf(holdings), [['BTC', '2', 'since_connection', 2 + Number(prices.BTC)]]);
    });

    it('reads every fill of many pages once, with its fee', async () => {
      // 260 within two hours, so that a page is full; 90 over all weeks.
      const trades = [
        ...Array.from({ length: 90 }, (_, n) =>
          trade('BTC', { price: `${n + 1}`, fee: '0.01 BTC' }, 83 - n * 0.9),
        ),
        ...Array.from({ length: 260 }, (_, n) =>
          trade('BTC', { price: `${n + 91}` }, 1 - (n * 2) / 24 / 260),
        ),
      ].sort((left, right) => left.time! - right.time!);
      exchange.past(account, trades);
      const opened = await open();
      exchange.forget();
      const page = await opened.fills(btc, null);
      const expected = trades.map(({ price }) => price);
      assert.deepEqual(
        page!.fills.map(({ price }) => String(price)),
        expected,
      );
      assert.equal(page!.fills.filter(({ baseFee }) => String(baseFee) === '0.01').length, 90);
      const asked = exchange.asked.filter(({ path }) => path === tradesPath);
      assert.ok(asked.length > 12 && asked.length <= 50, String(asked.length));
      assert.deepEqual((await opened.fills(btc, page!.cursor))!.fills, []);
    });

    it('reads all fills of one millisecond, or says that it cannot', async () => {
      const at = Date.now() - dayMs;
      exchange.past(
        account,
        Array.from({ length: 250 }, (_, n) => trade('BTC', { price: `${n + 1}`, time: at }, 1)),
      );
      const page = await (await open()).fills(btc, null);
      assert.equal(page?.fills.length ?? null, canContinue ? 250 : null);
      assert.equal(new Set(page?.fills.map(({ price }) => String(price))).size, canContinue ? 250 : 0);
    });

    it('answers null for the fills of a coin without a market against the quote', async () => {
      assert.equal(await (await open()).fills({ base: 'MOON', quote: 'USDT' }, null), null);
    });

    it('sends no requests with a key after "too many requests", and goes on with others and the market data', async () => {
      const other = { ...key, apiKey: 'o'.repeat(24) };
      exchange.account({ ...other, ...setup }, { BTC: { free: '3' } });
      const [opened, free] = await Promise.all([open(), open(other)]);
      for (const status of [id === 'bybit' ? 200 : 429, 429]) {
        await context.redis.flushdb();
        const fault: RequestFault = { kind: 'status', status, ...tooMany[id as keyof typeof tooMany] };
        exchange.fault = () => fault;
        await assert.rejects(opened.balances(), {
          code: 'exchange_unavailable',
          message: /with this key to .* are paused for \d+ s: too many requests/,
        });
        exchange.fault = () => undefined;
        const asked = exchange.asked.length;
        await assert.rejects(opened.fills(btc, null), {
          code: 'exchange_unavailable',
          message: /with this key/,
        });
        assert.equal(exchange.asked.length, asked);
        assert.equal(await context.redis.exists(`tidemark:circuit:${id}`), 0);
        assert.equal(String((await free.balances())[0].quantity), '3');
        assert.equal((await new CcxtSource(await guard()).ticks([btc])).length, 1);
      }
    });

    const malformed: [what: string, change: (row: Record<string, unknown>) => unknown][] = [
      ['a quantity that is no number', (row) => replaced(row, fields.quantity, 'many')],
      ['a price that is no number', (row) => replaced(row, fields.price, 'NaN')],
      ['no side', (row) => replaced(row, ['side'], undefined)],
      ['another side', (row) => replaced(row, ['side'], 'hold')],
      ['no id', (row) => replaced(row, fields.id, undefined)],
      ['no time', (row) => replaced(row, fields.time, undefined)],
      ['a fee that is no number', (row) => replaced(row, fields.fee, 'x')],
      ['nothing in it', () => ({})],
      ['nothing at all', () => null],
    ];
    for (const [what, change] of malformed)
      it(`drops an answer in which one row has ${what}`, async () => {
        exchange.past(
          account,
          [3, 2, 1].map((daysAgo) => trade('BTC', {}, daysAgo)),
        );
        const opened = await open();
        exchange.state.changeRows = (rows) =>
          rows.map((row, n) => (n === 1 ? change(row as Record<string, unknown>) : row));
        await assert.rejects(opened.fills(btc, null), (error: { code: string; message: string }) => {
          assert.ok(['exchange_unavailable', 'exchange_refused'].includes(error.code), error.message);
          return true;
        });
        exchange.state.changeRows = (rows) => rows;
        assert.equal((await opened.fills(btc, null))!.fills.length, 3);
      });

    for (const [what, given] of [
      ['an unknown key', { apiKey: 'x'.repeat(24) }],
      ['a wrong secret', { secret: 'wrong' }],
      ...(findVenue(id)!.needsPassphrase ? [['a wrong passphrase', { passphrase: 'wrong' }] as const] : []),
    ] as const)
      it(`is refused with ${what}, which does not count as a failure of the exchange`, async () => {
        const refused = open({ ...key, ...given }).then((opened) => opened.balances());
        await assert.rejects(refused, { code: 'exchange_refused', details: { reason: 'key' } });
        assert.equal(await context.redis.hget(`tidemark:circuit:${id}`, 'failures'), null);
      });

    it('reads the permissions of the key where the clock of the exchange is ahead', async () => {
      exchange.state.aheadMs = 60_000;
      account.setup.mayTrade = false;
      const { accounts, mayTrade, mayWithdraw } = await (await open()).permissions();
      assert.deepEqual([mayTrade, mayWithdraw], [false, false]);
      assert.ok(accounts.includes('SPOT'));
      account.setup.mayWithdraw = true;
      assert.equal((await (await open()).permissions()).mayWithdraw, true);
    });
  });

/** The row with another value in each of the fields that it has. */
const replaced = (row: Record<string, unknown>, fields: readonly string[], value: unknown) => ({
  ...row,
  ...Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, value])),
});
