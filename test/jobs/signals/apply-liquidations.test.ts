import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import { noPosition } from '../../../compute/signals/execution.js';
import { afterLiquidation, applyLiquidations } from '../../../jobs/signals/apply-liquidations.js';
import { ExecutionRun } from '../../../jobs/signals/run/execution-run.js';
import type { AccountFill, TradingVenue } from '../../../storage/exchanges/trading-venue.js';
import { decodeExecution, encodeExecution } from '../../../storage/signals/execution-json.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import { makeExecution } from '../../support/signals/make-execution.js';
import { makeStoredExecution, storedOrder } from '../../support/signals/make-stored-execution.js';

const d = (text: string) => Decimal.parse(text);
const pair = { base: 'BTC', quote: 'USDT' };

/** A long of one user on FUTURES with purchases of these quantities at these times (ms). */
function long(...bought: [quantity: string, at: number][]): StoredExecution {
  const held = Decimal.sum(bought.map(([quantity]) => d(quantity)));
  const position = { ...noPosition, quantity: held, entered: held, entryValue: held.times(d('100')) };
  const fills = bought.map(([quantity, at], n) => {
    return { tradeId: `${at}.${n}`, quantity, price: '100', baseFee: '0', quoteFee: '0', at: new Date(at) };
  });
  return makeStoredExecution({
    ...{ userId: 'user', account: 'FUTURES', status: 'open', createdAt: new Date(0) },
    state: encodeExecution({ ...makeExecution(), status: 'open', position, lastPrice: d('100') }),
    orders: [{ ...storedOrder, status: 'filled', filled: String(held), fills }],
  });
}

/** A long of 3 whose stop stands at the exchange. */
function protectedLong(): StoredExecution {
  const { state, orders, ...stored } = long(['3', 10]);
  const terms = { leg: 'stop', revision: 1, side: 'sell', type: 'stop', price: null, reduces: true } as const;
  const standing = { ...terms, stopPrice: d('90'), quantity: d('3'), filled: Decimal.zero };
  const placed = { ...standing, state: 'placed', filledAtEnd: null } as const;
  const stop = { ...storedOrder, ...terms, stopPrice: '90', quantity: '3', exchangeOrderId: '7', fills: [] };
  const before = makeExecution({}, { stopOnExchange: true });
  const { status, position, lastPrice } = decodeExecution(state!);
  return {
    ...stored,
    orders: [...orders, { ...stop, status: 'open' }],
    state: encodeExecution({
      ...before,
      status,
      position,
      lastPrice,
      orders: [placed],
      revisions: { stop: 1 },
    }),
  };
}

/** A liquidation at 90, with a fee of 10. */
const liquidation = (quantity: string, at: number): AccountFill => ({
  ...{ tradeId: `liquidation ${at}`, isLiquidation: true, at },
  ...{ quantity: d(quantity), price: d('90'), baseFee: Decimal.zero, quoteFee: d('10') },
});

/** Applies to each execution what the exchange tells: its position now, and its liquidations. */
async function applied(all: readonly StoredExecution[], now: string, liquidations: readonly AccountFill[]) {
  const asked: string[] = [];
  const position = { account: 'FUTURES', pair, quantity: d(now), entryPrice: d('100') } as const;
  const venue = {
    tellsLiquidations: true,
    positions: () => Promise.resolve(now === '0' ? [] : [{ ...position, liquidationPrice: d('80') }]),
    fillsSince: (userId: string) => (asked.push(userId), Promise.resolve(liquidations)),
  } as unknown as TradingVenue;
  const leveraged = () => Promise.resolve(all.map((each) => ({ ...each, state: each.state! })));
  const runs = all.map((each) => new ExecutionRun(each));
  // One after the other, as workers do that know nothing of each other.
  for (const run of runs)
    await applyLiquidations(
      { venues: new Map([['PAPER', venue]]), storage: { openExecutions: { leveraged } } as never },
      [run],
    );
  const figures = runs.map(({ state: { position: own } }) =>
    [own.quantity, own.exited, own.quoteFees].map(String).join(' '),
  );
  return { figures, asked, runs };
}

describe('applyLiquidations', () => {
  it('gives each of two executions that share a position what it held, with its share of the fee', async () => {
    const { figures } = await applied([long(['3', 10]), long(['2', 20])], '0', [liquidation('5', 30)]);
    assert.deepEqual(figures, ['0 3 6', '0 2 4']);
  });

  it('finds a liquidation though another execution has opened a position of the same size since', async () => {
    const all = [long(['3', 10]), long(['2', 20]), long(['4', 40])];
    const { figures } = await applied(all, '4', [liquidation('5', 30)]);
    assert.deepEqual(figures, ['0 3 6', '0 2 4', '4 0 0']);
  });

  it('leaves what an execution has bought after the liquidation', async () => {
    const { figures, runs } = await applied([long(['3', 10], ['2', 40])], '2', [liquidation('3', 30)]);
    assert.deepEqual(figures, ['2 3 10']);
    assert.equal(runs[0].state.status, 'closing');
  });

  it('reads no trades while the position is what its executions hold, and notes the price of liquidation', async () => {
    const { figures, asked, runs } = await applied([long(['3', 10]), long(['2', 20])], '5', []);
    assert.deepEqual([figures, asked], [['3 0 0', '2 0 0'], []]);
    const notes = runs.map((run) =>
      run.toStore(50).events.map(({ type, figures: { price } }) => [type, price]),
    );
    assert.deepEqual(notes, [[['liquidation_price', '80']], [['liquidation_price', '80']]]);
  });

  describe('on a real exchange', () => {
    const mails: [string, string][] = [];
    const storage = {
      mails: { ask: async (kind: string, email: string) => void mails.push([kind, email]) },
      users: { byId: async (id: string) => ({ email: `${id}@example.com` }) },
      openExecutions: { onAccount: async (): Promise<StoredExecution[]> => [] },
    };
    const reduced = (held: string | null) => ({
      ...long(['3', 10]),
      observed: { lookUp: [], held, line: null },
    });
    /** Applies the fills of an account to an execution, and then what a comparison has found. */
    const observed = async (held: string | null, fills: () => Promise<readonly AccountFill[]>) => {
      mails.length = 0;
      let asked = 0;
      const fillsSince = () => (asked++, fills());
      const venue = { tellsLiquidations: true, lateMs: 1, fillsSince } as unknown as TradingVenue;
      const run = new ExecutionRun(reduced(held), 1);
      const venues = new Map([['PAPER', venue]]);
      await applyLiquidations({ venues, storage: storage as never }, [run]);
      run.applyObserved(50);
      const { quantity, exitValue } = run.state.position;
      const types = run.toStore(60).events.map(({ type }) => type);
      return { figures: [String(quantity), String(exitValue)], types, asked };
    };

    it('books the loss once a comparison has found less, and tells the owner by mail', async () => {
      const found = await observed('0', async () => [liquidation('2', 30), liquidation('1', 31)]);
      assert.deepEqual(found.figures, ['0', '270']);
      assert.ok(found.types.includes('liquidated') && !found.types.includes('sold_elsewhere'));
      assert.deepEqual(mails, [['liquidated', 'user@example.com']]);
    });

    it('gives two executions on one contract their shares of what was closed in part, whoever is told first', async () => {
      const holders = [
        { ...long(['0.03', 10]), id: 'one' },
        { ...long(['0.04', 20]), id: 'two' },
      ];
      const fills = [liquidation('0.03', 30), liquidation('0.01', 31)];
      for (const order of [holders, holders.toReversed()]) {
        let known = order;
        const booked: Record<string, string[]> = {};
        for (const each of order) {
          const stored = { ...each, observed: { lookUp: [], held: '0', line: null } };
          const run = new ExecutionRun(stored, 1);
          const venue = { tellsLiquidations: true, lateMs: 1, fillsSince: async () => fills };
          const openExecutions = { onAccount: async () => known };
          await applyLiquidations(
            {
              venues: new Map([['PAPER', venue as unknown as TradingVenue]]),
              storage: { ...storage, openExecutions } as never,
            },
            [run],
          );
          const { position } = run.state;
          booked[each.id] = [position.exited, position.quantity, position.quoteFees].map(String);
          known = known.map((other) => (other.id === each.id ? run.toStore(60) : other));
        }
        // On the step of 0.001: 0.012 and 0.018 of the first, 0.004 and 0.006 of the second.
        assert.deepEqual(booked, { one: ['0.016', '0.014', '8'], two: ['0.024', '0.016', '12'] });
      }
    });

    it('takes what no liquidation explains for sold elsewhere', async () => {
      const found = await observed('1', async () => [{ ...liquidation('2', 30), isLiquidation: false }]);
      assert.deepEqual([found.figures, found.types, mails], [['1', '0'], ['sold_elsewhere'], []]);
    });

    it('leaves it to the next comparison where the exchange does not answer', async () => {
      const found = await observed('0', () => Promise.reject(new AppError('exchange_unavailable', 'late')));
      assert.deepEqual([found.figures, found.types, mails], [['3', '0'], [], []]);
    });

    it('looks for the liquidation of a short on margin that owes less than it has sold', async () => {
      const short = long(['3', 10]);
      const state = encodeExecution({ ...decodeExecution(short.state!), side: 'short' });
      const seen = { lookUp: [], held: null, isOwedLess: true as const, line: null };
      const run = new ExecutionRun({ ...short, account: 'MARGIN', state, observed: seen }, 1);
      const fillsSince = async () => [{ ...liquidation('3', 30), side: 'buy' }];
      const venue = { tellsLiquidations: true, lateMs: 1, fillsSince } as unknown as TradingVenue;
      await applyLiquidations({ venues: new Map([['PAPER', venue]]), storage: storage as never }, [run]);
      run.applyObserved(50);
      assert.deepEqual([String(run.state.position.quantity), run.state.status], ['0', 'closed']);
    });

    /** The look-up of a stop that nobody here has cancelled. */
    const lookedUp = async (fills: () => Promise<readonly AccountFill[]>) => {
      const run = new ExecutionRun(protectedLong(), 1);
      const venue = { tellsLiquidations: true, lateMs: 1, fillsSince: fills } as unknown as TradingVenue;
      const [order] = run.openOrders(40);
      const ended = { clientOrderId: 'order', exchangeOrderId: '7', status: 'cancelled' } as const;
      const found = { ...ended, filled: Decimal.zero, fills: [] };
      run.applyFound(order, await afterLiquidation(storage as never, venue, { run, order, found }), 40);
      return { types: run.toStore(60).events.map(({ type }) => type), status: order.status };
    };

    it('tells a liquidation before it takes the stop for one that was cancelled by hand', async () => {
      const { types } = await lookedUp(async () => [liquidation('3', 30)]);
      assert.ok(types.includes('liquidated') && !types.includes('cancelled_by_hand'), String(types));
      assert.ok((await lookedUp(async () => [])).types.includes('cancelled_by_hand'));
      const untold = await lookedUp(() => Promise.reject(new AppError('exchange_unavailable', 'late')));
      assert.deepEqual([untold.types, untold.status], [[], 'open']);
    });

    it('asks nothing while nothing is missing', async () => {
      assert.equal((await observed(null, async () => [])).asked, 0);
    });
  });
});
