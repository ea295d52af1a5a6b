import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../../compute/model/errors.js';
import type { Caller, Deps } from '../../../../gateway/context.js';
import { getProfits } from '../../../../gateway/operations/ledger/get-profits.js';
import type { BookedTrade } from '../../../../storage/ledger/booked-trade.js';
import { openTestService, type TestAnswer, type TestService } from '../../../support/gateway/gateway.js';
import { partnerClient } from '../../../support/signals/partner-client.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import { newAccount } from '../../../../storage/accounts/accounts.js';
import { Prices } from '../../../../storage/candles/prices.js';
import type { StoredLedgerEntry } from '../../../../storage/ledger/ledger-entries.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import { filledOrder, storedFill } from '../../../support/signals/ended-execution.js';
import { equitySnapshot } from '../../../support/signals/equity-snapshot.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { bookedTrade } from '../../../support/signals/booked-trade.js';

interface Row {
  group: string;
  tradeMarket: string;
  profit: string;
  trades: number;
  wins: number;
}

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const dayOf = (ago: number) => new Date(today - ago * dayMs).toISOString().slice(0, 10);

describe('the ledger of a user', () => {
  let service: TestService;
  before(async () => void (service = await openTestService({ computeNodes: 0 })));
  after(() => service.close());

  async function trader(...trades: Partial<BookedTrade>[]) {
    const token = await service.signIn();
    const { userId } = (await service.deps.signedIn.find(token))!;
    await service.storage.trades.book(trades.map((each) => bookedTrade({ ...each, userId })));
    const ask = async (path: string) => {
      const answer = await fetch(service.url + path, { headers: { 'session-token': token } });
      const { payload } = (await answer.json()) as TestAnswer;
      return { status: answer.status, payload };
    };
    return { userId, ask };
  }

  const closed = (ago: number, profit: string, more: Partial<BookedTrade> = {}): Partial<BookedTrade> => ({
    profit,
    days: [{ day: dayOf(ago), profit }],
    closedAt: new Date(today - ago * dayMs + 3_600_000),
    ...more,
  });
  const some = () => [
    closed(0, '10.1'),
    closed(1, '-4.2', { asset: 'ETH', channelId: 'other', fees: [] }),
    closed(1, '0.00000001', { exchange: 'BINANCE' }),
    closed(2, '0.5', { tradeMarket: 'BTC', asset: 'ETH' }),
    closed(40, '100'),
    {
      ...closed(5, '3'),
      // Partly sold before the period of a week began.
      days: [
        { day: dayOf(8), profit: '2' },
        { day: dayOf(5), profit: '1' },
      ],
    },
  ];
  const rowsOf = (payload: TestAnswer['payload']) =>
    (payload.rows as Row[]).map(({ group, tradeMarket, profit, trades, wins }) => [
      ...[group, tradeMarket, profit, trades, wins],
    ]);

  it('names the channels of profits', async () => {
    const { id: channelId } = await service.storage.channels.add({ partnerId: 'p', name: 'Momentum' });
    const { ask } = await trader(closed(0, '10', { channelId }), closed(0, '1'));
    const { payload } = await ask('/backend/pnl?groupBy=channel');
    const names = (payload.rows as { group: string; name: string | null }[]).map(({ group, name }) => [
      group,
      name,
    ]);
    assert.deepEqual(
      new Map(names as [string, string | null][]),
      new Map([
        [channelId, 'Momentum'],
        ['channel', null],
      ]),
    );
  });

  it('tells profits by asset, exchange, channel and day, each grouping with the same total', async () => {
    const { ask } = await trader(...some());
    const by = async (grouping: string) =>
      rowsOf((await ask(`/backend/pnl?groupBy=${grouping}&period=7d`)).payload);
    assert.deepEqual(await by('asset'), [
      ['BTC', 'USDT', '11.10000001', 3, 3],
      ['ETH', 'BTC', '0.5', 1, 1],
      ['ETH', 'USDT', '-4.2', 1, 0],
    ]);
    assert.deepEqual(await by('exchange'), [
      ['BINANCE', 'USDT', '0.00000001', 1, 1],
      ['PAPER', 'BTC', '0.5', 1, 1],
      ['PAPER', 'USDT', '6.9', 3, 2],
    ]);
    assert.deepEqual(await by('channel'), [
      ['channel', 'BTC', '0.5', 1, 1],
      ['channel', 'USDT', '11.10000001', 3, 3],
      ['other', 'USDT', '-4.2', 1, 0],
    ]);
    assert.deepEqual(await by('day'), [
      [dayOf(0), 'USDT', '10.1', 1, 1],
      [dayOf(1), 'USDT', '-4.19999999', 2, 1],
      [dayOf(2), 'BTC', '0.5', 1, 1],
      [dayOf(5), 'USDT', '1', 1, 1],
    ]);
  });

  it('counts funding and interest of exchanges once, wherever they belong', async () => {
    const { userId, ask } = await trader();
    const { executions, ledgerEntries, trades } = service.storage;
    const at = (ago: number, hour: number) => new Date(today - ago * dayMs + hour * 3_600_000);
    const state = encodeExecution(makeExecution({ leverage: 2 }));
    const bought = (quantity: string) => [filledOrder('buy', [storedFill({ quantity, at: at(3, 1) })])];
    const own = { userId, exchange: 'BINANCE', state, bookAt: null };
    const open = makeStoredExecution({ ...own, account: 'FUTURES', channelId: 'one', orders: bought('3') });
    const over = makeStoredExecution({
      ...{ ...own, account: 'FUTURES', channelId: 'two', orders: bought('1'), endedAt: at(1, 2) },
    });
    const margin = makeStoredExecution({
      ...{ ...own, account: 'MARGIN', channelId: 'three', pair: 'ETH/USDT', orders: bought('1') },
    });
    await executions.addAll([open, over, margin]);
    const line = (id: string, more: Partial<StoredLedgerEntry>): StoredLedgerEntry => ({
      ...{ userId, exchange: 'BINANCE', account: 'FUTURES', id, kind: 'funding', asset: 'USDT', price: '1' },
      ...{ amount: '0', pair: 'BTC/USDT', basis: null, at: at(2, 8), ...more },
    });
    const lines = [
      line('1', { amount: '-4.00000004' }),
      line('2', { amount: '0.4', pair: 'SOL/USDT', at: at(1, 8) }),
      line('3', { account: 'MARGIN', kind: 'interest', amount: '-0.3', pair: null }),
      line('4', {
        account: 'MARGIN',
        kind: 'interest',
        asset: 'BTC',
        amount: '-0.001',
        price: '500',
        pair: null,
      }),
      line('5', { account: 'MARGIN', kind: 'interest', asset: 'XYZ', amount: '-7', price: null, pair: null }),
      line('6', { kind: 'transfer', amount: '1000', pair: null }),
      line('7', { amount: '-50', at: at(9, 8) }),
    ];
    // Reading twice stores once.
    await ledgerEntries.add(lines);
    assert.deepEqual(await ledgerEntries.add(lines), []);
    // The trade of the execution that is over has its quarter of the first line.
    const paid = {
      id: 'BINANCE:FUTURES:funding:1',
      asset: 'USDT',
      amount: '-1.00000001',
      value: '-1.00000001',
    };
    const part = { exchange: 'BINANCE', channelId: 'two', id: over.id, userId };
    await trades.book([
      bookedTrade({
        ...{ ...part, profit: '8.99999999', closedAt: at(1, 2) },
        days: [
          { day: dayOf(2), profit: '-1.00000001' },
          { day: dayOf(1), profit: '10' },
        ],
        ...{ funding: '-1.00000001', payments: [{ ...paid, at: at(2, 8) }] },
      }),
    ]);
    const by = async (grouping: string) => {
      const { payload } = await ask(`/backend/pnl?groupBy=${grouping}&period=7d`);
      const sums = (rows: unknown) =>
        (rows as (Row & { funding: string })[]).map(({ group, tradeMarket, profit, funding }) =>
          [group, tradeMarket, profit, funding].filter((each) => each !== undefined),
        );
      // All that the ledger of the exchange tells, and the 10 that the trade has earned.
      assert.deepEqual(sums(payload.totals), [
        ['USDT', '5.59999996', '-4.40000004'],
        ['XYZ', '-7', '-7'],
      ]);
      return sums(payload.rows);
    };
    assert.deepEqual(await by('asset'), [
      ['BTC', 'USDT', '5.49999996', '-4.50000004'],
      ['ETH', 'USDT', '-0.3', '-0.3'],
      ['SOL', 'USDT', '0.4', '0.4'],
      ['XYZ', 'XYZ', '-7', '-7'],
    ]);
    assert.deepEqual(await by('channel'), [
      ['none', 'USDT', '-0.1', '-0.1'],
      ['none', 'XYZ', '-7', '-7'],
      ['one', 'USDT', '-3.00000003', '-3.00000003'],
      ['three', 'USDT', '-0.3', '-0.3'],
      ['two', 'USDT', '8.99999999', '-1.00000001'],
    ]);
    assert.deepEqual(await by('day'), [
      [dayOf(1), 'USDT', '10.4', '0.4'],
      [dayOf(2), 'XYZ', '-7', '-7'],
      [dayOf(2), 'USDT', '-4.80000004', '-4.80000004'],
    ]);
    const [trade] = (await ask('/backend/trades')).payload.trades as { profit: string; funding: string }[];
    assert.deepEqual([trade.profit, trade.funding], ['8.99999999', '-1.00000001']);
  });

  it('begins periods with a UTC day', async () => {
    const { ask } = await trader(...some());
    const total = async (period: string) =>
      rowsOf((await ask(`/backend/pnl?period=${period}`)).payload).map(([, , profit]) => profit);
    assert.deepEqual(await total('today'), ['10.1']);
    assert.deepEqual(await total('all'), ['113.10000001', '0.5', '-4.2']);
    const { payload } = await ask('/backend/pnl');
    assert.deepEqual(
      [payload.groupBy, payload.since, payload.isComplete],
      ['asset', new Date(today - 29 * dayMs).toISOString(), true],
    );
    const [row] = payload.rows as (Row & { winRatePercent: number; fees: object[] })[];
    assert.deepEqual([row.winRatePercent, row.fees], [100, [{ asset: 'USDT', amount: '0.6' }]]);
  });

  it('lists trades page by page, the last one first, also those of one moment', async () => {
    const at = new Date(today);
    const { ask } = await trader(
      ...some(),
      ...['same-1', 'same-2', 'same-3'].map((id) => closed(0, '1', { id, closedAt: at })),
    );
    const seen: { closedAt: string; profit: string }[] = [];
    let path = '/backend/trades?limit=2';
    for (;;) {
      const { payload } = await ask(path);
      seen.push(...(payload.trades as typeof seen));
      if (payload.nextCursor === null) break;
      path = `/backend/trades?limit=2&cursor=${String(payload.nextCursor)}`;
    }
    assert.equal(seen.length, 9);
    const times = seen.map(({ closedAt }) => closedAt);
    assert.deepEqual(times, [...times].sort().reverse());
    const { payload } = await ask(`/backend/trades?asset=ETH&channel=other&since=${dayOf(3)}`);
    const [trade, ...others] = payload.trades as (typeof seen)[number][];
    assert.deepEqual([trade.profit, others], ['-4.2', []]);
  });

  it('tells everything of a trade', async () => {
    const { ask } = await trader({});
    const { payload } = await ask('/backend/trades');
    const [{ parent_signal_id: id, ...trade }] = payload.trades as { parent_signal_id: string }[];
    assert.match(id, /^traded-\d+$/);
    assert.deepEqual(trade, {
      ...{ channel: 'channel', exchange: 'PAPER', asset: 'BTC', tradeMarket: 'USDT', side: 'long' },
      ...{ leverage: 1, status: 'closed', reason: 'everything is sold', profit: '10', returnPercent: 10 },
      ...{ r: 1, invested: '100', entered: '1', exited: '1', averageEntry: '100', averageExit: '110.2' },
      ...{ left: '0', funding: '0', fees: [{ asset: 'USDT', amount: '0.2', value: '0.2' }] },
      ...{ entrySlippagePercent: 0, exitSlippagePercent: 0, deliverySlippagePercent: 0 },
      openedAt: '2026-01-05T00:00:00.000Z',
      closedAt: '2026-01-06T12:00:00.000Z',
      heldSeconds: 129_600,
    });
  });

  it('shows nothing of other users, whatever is asked', async () => {
    const owner = await trader(closed(0, '10', { id: 'of the owner' }));
    const { ask } = await trader();
    for (const path of [
      '/backend/pnl?period=all',
      `/backend/pnl?userId=${owner.userId}`,
      '/backend/trades',
      `/backend/trades?userId=${owner.userId}`,
      `/backend/trades?cursor=${Buffer.from(`${Date.now()} zzz`).toString('base64url')}`,
    ]) {
      const { status, payload } = await ask(path);
      assert.ok(status === 200 || status === 400, path);
      if (status === 200) assert.deepEqual(payload.rows ?? payload.trades, [], path);
    }
    assert.equal((await fetch(`${service.url}/backend/pnl`)).status, 401);
    assert.equal((await fetch(`${service.url}/backend/trades`)).status, 401);
  });

  it('shows track records to everybody, to a partner those of its own channels, and no figures of accounts', async () => {
    const [partner, other] = [await partnerClient(service), await partnerClient(service)];
    await partner.create();
    await other.create();
    const { storage } = service;
    const channel = (await storage.channels.first(partner.id))!;
    const trade = bookedTrade({ channelId: channel.id, r: 2, returnPercent: 3, userId: 'a follower' });
    const reason = 'an interval needs 20 traded signals with a stop, found 0';
    const unknown = { low: null, high: null, reason: 'too few' };
    const results = {
      ...{ traded: 1, openLosers: 1, hitRatePercent: 100, expectancyInterval: unknown },
      ...{ expectancyR: 2, maxDrawdownR: 0 },
    };
    const traded = {
      ...{ ...results, followers: 3, medianSlippagePercent: 0, medianDeliverySlippagePercent: 0.5 },
    };
    const reference = { ...results, unpriced: 4 };
    const record = { ...{ signals: 1, cancelled: 0, expired: 0 }, ...traded, paper: traded, reference };
    await storage.trades.book([trade]);
    const records = { '3M': record, '6M': record, '1y': record };
    await storage.channelRecords.put({ channelId: channel.id, due: {} }, records, new Date());
    const shown = await partner.ask('GET', '/v1/channel');
    const [view, ...others] = shown.payload.channels as { id: string; track_record: object }[];
    assert.deepEqual([view.id, view.track_record, others], [channel.id, record, []]);
    const { payload } = (await (await fetch(`${service.url}/backend/channels`)).json()) as TestAnswer;
    const listed = (payload.channels as { id: string; trackRecord: object }[]).map((each) => [
      each.id === channel.id,
      each.trackRecord,
    ]);
    const nothing = {
      ...{ traded: 0, openLosers: 0, hitRatePercent: null, expectancyInterval: { ...unknown, reason } },
      ...{ expectancyR: null, maxDrawdownR: null },
    };
    const nobody = {
      ...{ ...nothing, followers: 0, medianSlippagePercent: null, medianDeliverySlippagePercent: null },
    };
    const empty = {
      ...{ signals: 0, cancelled: 0, expired: 0, ...nobody, paper: nobody },
      reference: { ...nothing, unpriced: 0 },
    };
    assert.deepEqual(listed, [
      [true, record],
      [false, empty],
    ]);
    assert.doesNotMatch(JSON.stringify([shown.payload, payload]), /follower"|userId|profit/);
  });

  it('tells what open positions have gained, by asset, exchange and channel, also without a trade that is over', async () => {
    const { ask, userId } = await trader(...some());
    const { storage, deps } = service;
    await new Prices(deps.redis).put('csv', [
      { base: 'BTC', quote: 'USDT', price: 130, change24hPercent: null, time: Date.now() },
      { base: 'SOL', quote: 'USDT', price: 20, change24hPercent: null, time: Date.now() },
    ]);
    const holding = { basis: 'average', cursor: null, checkedAt: 1 } as const;
    await storage.accounts.add({
      ...newAccount(userId, 'PAPER', null),
      holdings: [
        { asset: 'BTC', quantity: '2', cost: '200', ...holding },
        { asset: 'SOL', quantity: '3', cost: '75', ...holding },
      ],
    });
    await deps.exchanges.updater.refresh([userId]);
    // Two of the BTC were bought for 200 by a signal, of which one is left.
    const plan = makeExecution();
    const d = (text: string) => Decimal.parse(text);
    const position = { ...plan.position, quantity: d('1'), entered: d('2'), entryValue: d('200') };
    const state = encodeExecution({ ...plan, status: 'open', position });
    await storage.executions.addAll([
      makeStoredExecution({ userId, channelId: 'third', state, status: 'open' }),
      makeStoredExecution({ userId, channelId: 'ended', state, status: 'closed', endedAt: new Date() }),
    ]);
    const gains = async (grouping: string) => {
      const { payload } = await ask(`/backend/pnl?groupBy=${grouping}&period=7d`);
      const shown = payload.rows as (Row & { unrealised: number | null })[];
      return {
        rows: shown.map(({ group, tradeMarket, profit, unrealised }) => [
          group,
          tradeMarket,
          profit,
          unrealised,
        ]),
        totals: payload.totals as object[],
      };
    };
    const byAsset = await gains('asset');
    assert.deepEqual(byAsset.rows, [
      ['BTC', 'USDT', '11.10000001', 60],
      ['ETH', 'BTC', '0.5', null],
      ['ETH', 'USDT', '-4.2', 0],
      ['SOL', 'USDT', '0', -15],
    ]);
    assert.deepEqual(byAsset.totals, [
      {
        ...{ tradeMarket: 'USDT', profit: '6.90000001', funding: '0', unrealised: 45 },
        ...{ trades: 4, wins: 3, winRatePercent: 75 },
      },
      {
        ...{ tradeMarket: 'BTC', profit: '0.5', funding: '0', unrealised: null },
        ...{ trades: 1, wins: 1, winRatePercent: 100 },
      },
    ]);
    assert.deepEqual((await gains('channel')).rows.at(-1), ['third', 'USDT', '0', 30]);
    const byExchange = await gains('exchange');
    assert.deepEqual(byExchange.rows.at(-1), ['PAPER', 'USDT', '6.9', 45]);
    assert.deepEqual(new Set((await gains('day')).rows.map(([, , , gain]) => gain)), new Set([null]));
  });

  it('compares the equity with any asset that has candles', async () => {
    const { ask, userId } = await trader();
    const pair = { market: 'csv', base: 'ETH', quote: 'USDT' };
    const start = Date.UTC(2026, 0, 4);
    const time = Float64Array.from({ length: 72 }, (_, n) => start + n * 3_600_000);
    const flat = (of: (hour: number) => number) => Float64Array.from(time, (_, n) => of(n));
    // 40 until the end of 4 January, 50 until that of the 5th, then 60.
    const close = flat((hour) => 40 + 10 * Math.floor(hour / 24));
    await service.storage.candles.add(pair, {
      ...{ time, open: close, high: close, low: close, close, volume: flat(() => 1) },
    });
    await service.storage.equity.add([
      equitySnapshot({ userId }),
      equitySnapshot({ userId, day: '2026-01-06', value: '10100', benchmark: '51000' }),
      equitySnapshot({ userId, day: '2026-01-07', value: '10050' }),
      equitySnapshot({ userId, day: '2026-01-08', value: '10050' }),
    ]);
    const curve = async (query: string) =>
      (await ask(`/backend/equity?period=all${query}`)).payload as {
        benchmark: string;
        benchmarkReturnPercent: number;
        days: { benchmarkIndex: number | null }[];
      };
    const eth = await curve('&benchmark=ETH');
    assert.deepEqual([eth.benchmark, eth.benchmarkReturnPercent], ['ETH', 50]);
    assert.deepEqual(
      eth.days.map(({ benchmarkIndex }) => benchmarkIndex),
      [100, 125, 150, null],
    );
    assert.deepEqual((await curve('')).days[1].benchmarkIndex, 102);
    const refused = await ask('/backend/equity?benchmark=MOON');
    assert.deepEqual([refused.status, refused.payload.field], [400, 'benchmark']);
  });

  it('fails alone where several reads fail: no rejection stays unhandled and ends the process', async () => {
    const { userId } = await trader();
    const user = { userId } as NonNullable<Caller['user']>;
    const { deps, storage } = service;
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      const away = () => Promise.reject(new AppError('mongodb_unavailable', 'MongoDB does not answer'));
      const failing = {
        ...deps,
        storage: {
          ...storage,
          positions: { find: away },
          ledgerEntries: { payments: () => nextTurn().then(away) },
        } as unknown as Deps['storage'],
      };
      const asked = getProfits.handle({ groupBy: 'asset', period: '30d' }, failing, { user } as Caller);
      await assert.rejects(asked, { code: 'mongodb_unavailable' });
      await nextTurn();
    } finally {
      process.removeListener('unhandledRejection', note);
      for (const each of others) process.on('unhandledRejection', each);
    }
    assert.deepEqual(unhandled, []);
  });

  it('refuses groupings, periods and cursors that are none', async () => {
    const { ask } = await trader();
    for (const query of ['groupBy=user', 'groupBy=', 'by=asset', 'period=2y', 'period=1d'])
      assert.equal((await ask(`/backend/pnl?${query}`)).status, 400, query);
    for (const query of ['cursor=x', 'since=yesterday', 'limit=201', 'asset[$ne]=x'])
      assert.equal((await ask(`/backend/trades?${query}`)).status, 400, query);
  });
});
