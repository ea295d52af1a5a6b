import assert from 'node:assert/strict';
import { roundFigure } from '../../../../compute/model/round-figures.js';
import { encodeExecution } from '../../../../storage/signals/execution-json.js';
import type { StoredExecution, StoredOrder } from '../../../../storage/signals/stored-execution.js';
import { Decimal } from '../../../../compute/model/decimal.js';
import { accountUser, holdPositions, type AccountUser } from '../../../support/gateway/account-user.js';
import type { TestService } from '../../../support/gateway/gateway.js';
import { openTestMarket } from '../../../support/candles/market.js';
import { makeExecution } from '../../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

const path = '/backend/positions/BTC';
const d = (text: string) => Decimal.parse(text);

describe('the details of a position', () => {
  let service: TestService;
  let price: number;
  before(async () => {
    const market = await openTestMarket();
    ({ service } = market);
    price = market.btc.close.at(-1)!;
  });
  after(() => service.close());

  let made = 0;
  const order = (more: Partial<StoredOrder>): StoredOrder => ({
    ...storedOrder,
    clientOrderId: `detail-${++made}`,
    ...more,
  });

  /** A long that has bought 2 for 200, with its stop at 90 and targets at 110, 120 and 130, the first of which is sold. */
  const bought = (more: Partial<StoredExecution>): StoredExecution => {
    const plan = makeExecution();
    const targets = plan.targets.map((leg, n) => (n === 0 ? { ...leg, state: 'done' as const } : leg));
    const entries = plan.entries.map((leg) => ({ ...leg, state: 'done' as const }));
    const position = { ...plan.position, quantity: d('1.5'), entered: d('2'), entryValue: d('200') };
    const at = new Date('2026-01-02T03:04:05Z');
    const fill = { tradeId: 'one', quantity: '2', price: '100', baseFee: '0.002', quoteFee: '0', at };
    const sold = { ...fill, tradeId: 'two', quantity: '0.5', price: '110', baseFee: '0', quoteFee: '0.055' };
    const later = new Date('2026-01-03T00:00:00Z');
    return makeStoredExecution({
      state: encodeExecution({ ...plan, status: 'open', entries, targets, position }),
      status: 'open',
      orders: [
        order({ leg: 'entry-1', status: 'filled', filled: '2', fills: [fill] }),
        order({
          ...{ leg: 'target-1', side: 'sell', status: 'filled', filled: '0.5' },
          fills: [{ ...sold, at: later, otherFees: [{ asset: 'BNB', amount: '0.01' }] }],
        }),
        order({ leg: 'target-2', side: 'sell', status: 'open' }),
      ],
      ...more,
    });
  };
  const follow = async (user: AccountUser, more: Partial<StoredExecution> = {}) => {
    const execution = bought({ userId: user.userId, ...more });
    await service.storage.executions.addAll([execution]);
    return execution;
  };
  const atrOf = async (): Promise<number> =>
    (await service.post('/backend/analysis/volatility', { asset: 'BTC' })).payload.atr.value as number;

  it('are empty without a position', async () => {
    const { get } = await accountUser(service);
    assert.deepEqual((await get(path)).payload, { asset: 'BTC', positions: [], atr: null, source: 'csv' });
  });

  it('show fills, fees, stop and targets with their distance, and the signal', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '1.5', ETH: '1' });
    const { signalId, orders } = await follow(user);
    await follow(user, { endedAt: new Date() });
    await follow(user, { pair: 'ETH/USDT' });
    const { status, payload } = await user.get(path);
    assert.equal(status, 200);
    const atr = await atrOf();
    assert.equal(payload.atr, atr);
    const away = (level: number) => ({
      distancePercent: roundFigure(((level - price) / price) * 100),
      distanceAtr: roundFigure((level - price) / atr),
    });
    const [position, ...others] = payload.positions;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [position.asset, position.account, position.quantity, position.liquidationPrice],
      ['BTC', 'SPOT', 1.5, null],
    );
    assert.deepEqual(position.signals, [
      {
        ...{ parent_signal_id: signalId, channel: 'channel', status: 'open', held: '1.5', averageEntry: 100 },
        levels: [
          { kind: 'stop', leg: 'stop', price: '90', state: 'waiting', orderId: null, ...away(90) },
          {
            ...{ kind: 'target', leg: 'target-2', price: '120', state: 'resting' },
            orderId: orders[2].clientOrderId,
            ...away(120),
          },
          { kind: 'target', leg: 'target-3', price: '130', state: 'waiting', orderId: null, ...away(130) },
        ],
      },
    ]);
    assert.deepEqual(
      position.fills.map((fill: Record<string, string>) => [fill.at, fill.leg, fill.side, fill.quantity]),
      [
        ['2026-01-03T00:00:00.000Z', 'target-1', 'sell', '0.5'],
        ['2026-01-02T03:04:05.000Z', 'entry-1', 'buy', '2'],
      ],
    );
    assert.deepEqual(position.fees, [
      { asset: 'BTC', amount: '0.002' },
      { asset: 'USDT', amount: '0.055' },
      { asset: 'BNB', amount: '0.01' },
    ]);
  });

  it('show where an isolated position on futures is liquidated', async () => {
    const user = await accountUser(service);
    // A short of 2 that was sold for 200 with a margin of 20: (200 + 20) / (2 x 1.004) by the first bracket.
    const positions = [{ base: 'BTC', quantity: '-2', entryValue: '200', margin: '20' }];
    await holdPositions(service, user, { account: 'FUTURES', wallet: '500', positions });
    const { payload } = await user.get(`${path}?exchange=PAPER`);
    const [position] = payload.positions;
    assert.deepEqual([position.side, position.account, position.averageEntry], ['short', 'FUTURES', 100]);
    const level = Number(position.liquidationPrice);
    assert.ok(Math.abs(level - 220 / 2.008) < 0.02, position.liquidationPrice as string);
    assert.equal(position.liquidationDistancePercent, roundFigure(((level - price) / price) * 100));
  });

  it('count a fill of a moment ago, before the next update of positions', async () => {
    const user = await accountUser(service);
    await user.give({ BTC: '1' });
    const [account] = await service.storage.accounts.ofUsers([user.userId]);
    const holdings = account.holdings.map((each) => ({ ...each, quantity: '3', cost: '300' }));
    await service.storage.accounts.replace({ ...account, holdings });
    const { payload } = await user.get(path);
    assert.equal(payload.positions[0].quantity, 3);
    const gain = async () =>
      ((await user.get('/backend/pnl?groupBy=asset')).payload.rows as { unrealised: number }[]).at(0)
        ?.unrealised;
    assert.equal(await gain(), roundFigure(3 * price - 300));
    // What is sold has no profit that is not realised.
    const [held] = await service.storage.accounts.ofUsers([user.userId]);
    await service.storage.accounts.replace({ ...held, holdings: [] });
    assert.equal(await gain(), undefined);
  });

  it('are those of the user alone', async () => {
    const [owner, other] = [await accountUser(service), await accountUser(service)];
    await owner.give({ BTC: '1' });
    await other.give({ BTC: '2' });
    await follow(owner);
    const { payload } = await other.get(path);
    assert.deepEqual(
      payload.positions.map((each: { quantity: number; signals: object[] }) => [each.quantity, each.signals]),
      [[2, []]],
    );
    assert.equal((await fetch(service.url + path)).status, 401);
  });

  for (const [asked, field] of [
    [`/backend/positions/${'b'.repeat(41)}`, 'asset'],
    [`${path}?exchange=bybit`, 'exchange'],
    [`${path}?exchange=NOWHERE`, 'exchange'],
    ['/backend/positions/B!C', 'asset'],
    ['/backend/positions/BTCC', 'asset'],
  ])
    it(`refuse ${asked}`, async () => {
      const user = await accountUser(service);
      const { status, payload } = await user.get(asked);
      assert.deepEqual([status, payload.field], [400, field]);
    });
});
