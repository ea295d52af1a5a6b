import assert from 'node:assert/strict';
import { Decimal } from '../../../../compute/model/decimal.js';
import { roundFigure } from '../../../../compute/model/round-figures.js';
import { accountUser, holdPositions, type AccountUser } from '../../../support/gateway/account-user.js';
import type { StoredWallet, StoredWalletAsset } from '../../../../storage/accounts/accounts.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { Prices } from '../../../../storage/candles/prices.js';
import { PaperVenue } from '../../../../storage/exchanges/paper/paper-venue.js';

const path = '/backend/balances';

const nothingOwed = { borrowed: '0', interest: '0' };

describe('the balances of a user', () => {
  let service: TestService;
  let price: number;
  before(async () => {
    const market = await openTestMarket({ env: { PAPER_BALANCE: '10000' } });
    ({ service } = market);
    price = market.btc.close.at(-1)!;
  });
  after(() => service.close());

  /** What an exchange has said of the account of a user. */
  const read = async ({ userId }: AccountUser): Promise<void> => {
    const holding = { cost: null, basis: 'average', cursor: null, checkedAt: 1 } as const;
    await service.storage.accounts.add({
      ...{ userId, exchange: 'BINANCE', syncedAt: 1_700_000_000_000, dueAt: null, failures: 0, fault: null },
      holdings: [
        { asset: 'BTC', quantity: '0.75', locked: '0.25', ...holding },
        { asset: 'MOON', quantity: '5', ...holding },
      ],
      cash: [
        { asset: 'EUR', quantity: '3', locked: '1' },
        { asset: 'USDC', quantity: '0.4' },
      ],
      revision: 1,
    });
    const tick = { base: 'BTC', quote: 'USDT', price: 200, change24hPercent: null, time: Date.now() };
    await new Prices(service.deps.redis).put('binance', [tick]);
    await service.deps.exchanges.updater.refresh([userId]);
  };

  it('begin with the play money of the paper account', async () => {
    const { get } = await accountUser(service);
    assert.deepEqual((await get(path)).payload, {
      balances: [
        {
          ...{ exchange: 'PAPER', account: 'SPOT', asset: 'USDT', free: '10000', locked: '0' },
          ...{ total: '10000', ...nothingOwed, value: 10_000, sharePercent: 100 },
        },
      ],
      ...{ totalValue: 10_000, unpriced: [], hidden: 0, asOf: null, source: 'csv', accounts: [], unread: [] },
    });
  });

  it('have value and share, and are hidden where they are worth less than is asked for', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '0.5' });
    await read(user);
    const { payload } = await user.get(path);
    const total = 10_000 + 0.5 * price + 0.75 * 200 + 0.4;
    const row = (exchange: string, asset: string, ...rest: unknown[]) => {
      const [free, locked, all, value] = rest as [string | null, string | null, string, number | null];
      return {
        ...{ exchange, account: 'SPOT', asset, free, locked, total: all, ...nothingOwed },
        value: value === null ? null : roundFigure(value),
        sharePercent: value === null ? null : roundFigure((100 * value) / total),
      };
    };
    const expected = [
      row('PAPER', 'USDT', '10000', '0', '10000', 10_000),
      row('PAPER', 'BTC', '0.5', '0', '0.5', 0.5 * price),
      row('BINANCE', 'BTC', '0.5', '0.25', '0.75', 150),
    ].sort((one, other) => other.value! - one.value!);
    const unpriced = [
      row('BINANCE', 'EUR', '2', '1', '3', null),
      row('BINANCE', 'MOON', null, null, '5', null),
    ];
    assert.deepEqual(payload.balances, [...expected, ...unpriced]);
    assert.deepEqual(
      [payload.totalValue, payload.hidden, payload.unpriced],
      [roundFigure(total), 1, ['EUR', 'MOON']],
    );
    const all = await user.get(`${path}?minValue=0`);
    assert.deepEqual([all.payload.balances.length, all.payload.hidden], [6, 0]);
    const one = (await user.get(`${path}?exchange=BINANCE&minValue=0`)).payload;
    assert.deepEqual([one.balances.length, one.totalValue], [4, 150.4]);
    const shares = (all.payload.balances as { sharePercent: number | null }[]).map(
      (each) => each.sharePercent,
    );
    assert.ok(Math.abs(shares.reduce<number>((sum, share) => sum + (share ?? 0), 0) - 100) < 1e-9);
  });

  it('count the margin of positions as locked', async () => {
    const user = await accountUser(service);
    const positions = [{ base: 'BTC', quantity: '-1', entryValue: '100', margin: '12.5' }];
    await holdPositions(service, user, { account: 'FUTURES', wallet: '500', positions });
    const rows = (await user.get(path)).payload.balances as { account: string }[];
    assert.deepEqual(
      rows.filter(({ account }) => account === 'FUTURES'),
      [
        {
          ...{ exchange: 'PAPER', account: 'FUTURES', asset: 'USDT', free: '487.5', locked: '12.5' },
          ...{ total: '500', ...nothingOwed, value: 500, sharePercent: roundFigure((100 * 500) / 10_500) },
        },
      ],
    );
  });

  it('tell the wallets of MARGIN and FUTURES of an exchange, what is owed, and which could not be read', async () => {
    const user = await accountUser(service);
    await read(user);
    const { accounts } = service.storage;
    const stored = (await accounts.find(user.userId, 'BINANCE'))!;
    const asset = (name: string, amounts: Partial<StoredWalletAsset>): StoredWalletAsset => ({
      ...{ asset: name, total: '0', free: '0', locked: '0', borrowed: '0', interest: '0', unrealised: '0' },
      ...amounts,
    });
    const wallet = { transferred: [], coversSpot: false, since: 1, readAt: 2_000, ledgerAt: 1 };
    const margin = [
      asset('BTC', { total: '0.5', free: '0.4', locked: '0.1' }),
      asset('USDT', { total: '10', free: '10', borrowed: '60', interest: '0.5' }),
    ];
    const futures = [asset('USDT', { total: '300', free: '200', locked: '100', unrealised: '25' })];
    const fault = 'binance does not answer';
    const wallets: StoredWallet[] = [
      { ...wallet, account: 'MARGIN', assets: margin, fault: null },
      { ...wallet, account: 'FUTURES', assets: futures, fault },
    ];
    assert.ok(await accounts.replace({ ...stored, wallets }));
    const { payload } = await user.get(`${path}?exchange=BINANCE`);
    const rows = (payload.balances as Record<string, unknown>[])
      .filter(({ account }) => account !== 'SPOT')
      .map(({ account, asset: name, free, locked, total, borrowed, interest, value }) => {
        return [account, name, free, locked, total, borrowed, interest, value];
      });
    assert.deepEqual(rows, [
      ['FUTURES', 'USDT', '200', '100', '300', '0', '0', 300],
      ['MARGIN', 'BTC', '0.4', '0.1', '0.5', '0', '0', 100],
      ['MARGIN', 'USDT', '10', '0', '10', '60', '0.5', -50.5],
    ]);
    // BTC on SPOT, 0.4 USDC, and the wallets.
    assert.equal(payload.totalValue, 150 + 0.4 + 300 + 100 - 50.5);
    assert.deepEqual(payload.unread, [
      { exchange: 'BINANCE', account: 'FUTURES', readAt: '1970-01-01T00:00:02.000Z', fault },
    ]);
  });

  it('count what open orders of the paper account lock', async () => {
    const user = await accountUser(service);
    const { storage, deps } = service;
    const venue = new PaperVenue({ storage, redis: deps.redis, startingBalance: '10000' });
    const [placed] = await venue.place([
      {
        ...{ userId: user.userId, pair: { base: 'BTC', quote: 'USDT' }, account: 'SPOT' },
        ...{ clientOrderId: 'balances1', owner: 'test', side: 'buy', type: 'limit', stopPrice: null },
        ...{ price: Decimal.parse('50000'), quantity: Decimal.parse('0.01'), reduces: false },
        ...{ leverage: 1, marginMode: 'ISOLATED', isNew: true },
      },
    ]);
    assert.ok('state' in placed);
    const [{ free, locked, total }] = (await user.get(path)).payload.balances as Record<string, string>[];
    assert.deepEqual({ free, locked, total }, { free: '9500', locked: '500', total: '10000' });
  });

  it('are those of the user alone', async () => {
    const [owner, other] = [await accountUser(service), await accountUser(service)];
    await read(owner);
    assert.equal((await owner.get(path)).payload.balances.length, 4);
    assert.equal((await other.get(path)).payload.balances.length, 1);
    assert.equal((await fetch(service.url + path)).status, 401);
  });

  for (const [query, field] of [
    ['exchange=NOWHERE', 'exchange'],
    ['minValue=-1', 'minValue'],
    ['minValue=much', 'minValue'],
  ])
    it(`refuse ${query}`, async () => {
      const { get } = await accountUser(service);
      const { status, payload } = await get(`${path}?${query}`);
      assert.deepEqual([status, payload.field], [400, field]);
    });
});
