import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Decimal } from '../../../../compute/model/decimal.js';
import { tickAt, abc, roundTerms, wholeRules } from '../../../support/paper/paper-cases.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { admitOrder, lockedAsset } from '../../../../compute/paper/admit-order.js';
import { matchOrder } from '../../../../compute/paper/match-order.js';
import { changesOf } from '../../../../compute/paper/paper-money.js';
import type { PaperOrder } from '../../../../compute/paper/paper-order.js';
import { newAccount, type Account } from '../../../../storage/accounts/accounts.js';
import { PaperFunds } from '../../../../storage/exchanges/paper/paper-funds.js';
import {
  eventOf,
  eventRowOf,
  isOrderRow,
  orderOf,
  rowOf,
  storedOrders,
  type PaperEventRow,
  type PaperOrderRow,
} from '../../../../storage/exchanges/paper/paper-rows.js';
import { incompleteOrders, planSettlement } from '../../../../storage/exchanges/paper/plan-settlement.js';

type AnyRow = PaperOrderRow | PaperEventRow;

/** The writes of a settlement; it may be cut off before each of them. */
const settlementWrites = 5;

/** One paper account with its orders in memory, over the code that decides what is written. */
class PaperModel {
  account: Account;
  rows: AnyRow[] = [];
  readonly #start: ReadonlyMap<string, Decimal>;
  #orders = 0;

  constructor(start: Record<'USDT' | 'ABC', string>) {
    this.#start = new Map(Object.entries(start).map(([asset, text]) => [asset, Decimal.parse(text)]));
    const holding = { asset: 'ABC', quantity: start.ABC, cost: '100', basis: 'average' as const };
    this.account = {
      ...newAccount('user', 'PAPER', null),
      cash: [{ asset: 'USDT', quantity: start.USDT }],
      holdings: start.ABC === '0' ? [] : [{ ...holding, cursor: null, checkedAt: 0 }],
    };
  }

  get funds(): PaperFunds {
    return new PaperFunds(
      this.account,
      this.rows.filter(({ liveOf }) => liveOf !== null),
    );
  }

  /** Whether the order was taken. */
  place(order: Omit<PaperOrder, 'bound' | 'id' | 'pair'>, lastPrice: Decimal): boolean {
    const { funds } = this;
    const offered = { ...order, id: `order${++this.#orders}`, pair: abc };
    const free = funds.free(lockedAsset(offered));
    const admitted = admitOrder(offered, { rules: wholeRules, terms: roundTerms, lastPrice, free });
    if ('refused' in admitted) return false;
    this.rows.push(rowOf(admitted, 'user', 'owner', funds.nextSeq));
    return true;
  }

  /** Matches every open order; answers how many changed. */
  tick(tick: MarketTick): number {
    const orders = [...storedOrders(this.rows).values()];
    const events = orders.flatMap(({ row, progress }) => {
      const event = matchOrder(orderOf(row), progress, tick, { rules: wholeRules, terms: roundTerms });
      return event ? [eventRowOf(row, event)] : [];
    });
    this.rows.push(...events);
    return events.length;
  }

  /** Cancels the open order at an index, if there is one. */
  cancel(index: number, at: number): void {
    const open = [...storedOrders(this.rows).values()].filter(({ progress }) => progress.end === null);
    if (open.length === 0) return;
    const { row, progress } = open[index % open.length];
    const end = { kind: 'end', fill: null, end: 'cancelled', reason: null, at } as const;
    this.rows.push(eventRowOf(row, { number: progress.next, ...end }));
  }

  /** Settles, cut off after so many writes. */
  settle(nowMs: number, writes = settlementWrites): void {
    if (!this.rows.some((row) => !isOrderRow(row) && row.isDue)) return;
    const live = this.rows.filter(({ liveOf }) => liveOf !== null);
    const partial = incompleteOrders(live);
    const whole = [
      ...live.filter(({ order }) => !partial.includes(order)),
      ...this.rows.filter(({ order }) => partial.includes(order)),
    ];
    const plan = planSettlement(this.account, whole, nowMs);
    const set = (ids: readonly string[], values: Partial<PaperOrderRow & PaperEventRow>) => {
      this.rows = this.rows.map((row) => (ids.includes(row._id) ? { ...row, ...values } : row));
    };
    const all = [
      () => (this.account = plan.account ?? this.account),
      () => set(plan.ended, { watch: null, level: null }),
      () => set(plan.closed, { liveOf: null }),
      () => set(plan.closedDue, { liveOf: null, isDue: false }),
      () => set(plan.settled, { isDue: false }),
    ];
    for (const write of all.slice(0, writes)) write();
  }

  get isDue(): boolean {
    return this.rows.some((row) => !isOrderRow(row) && row.isDue);
  }

  /** What the account has to hold of an asset by the fills alone, in text. */
  expected(asset: string): string {
    const changes = this.rows.flatMap((row) => {
      const fill = isOrderRow(row) ? null : eventOf(row).fill;
      return fill ? changesOf({ pair: abc, side: row.side }, fill) : [];
    });
    return String(
      changes
        .filter((each) => each.asset === asset)
        .reduce((sum, { amount }) => sum.plus(amount), this.#start.get(asset)!),
    );
  }

  /** What the stored account holds of an asset. */
  held(asset: string): string {
    const all = [...this.account.cash, ...this.account.holdings];
    return all.find((each) => each.asset === asset)?.quantity ?? '0';
  }
}

const assets = ['USDT', 'ABC'] as const;
const price = fc.integer({ min: 60, max: 140 });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      type: fc.constantFrom('limit' as const, 'market' as const, 'stop' as const),
      hasLimit: fc.boolean(),
      price,
      stopPrice: price,
      hundredths: fc.integer({ min: 5, max: 900 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('tick' as const),
      price,
      above: fc.integer({ min: 0, max: 15 }),
      below: fc.integer({ min: 0, max: 15 }),
      volume: fc.option(fc.integer({ min: 0, max: 40 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), index: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      writes: fc.integer({ min: 0, max: settlementWrites }),
      minutes: fc.nat(30),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const d = (value: number): Decimal => Decimal.read(String(value));

/** Plays the steps; settlements are cut where the steps say, or never. Checks the money after each step. */
function play(steps: readonly Step[], isCut: boolean): PaperModel {
  const model = new PaperModel({ USDT: '1000', ABC: '10' });
  let second = 2;
  let nowMs = 0;
  let last = d(100);
  for (const each of steps) {
    second += 2;
    if (each.do === 'place') {
      const { side, type } = each;
      const limit = type === 'limit' || (type === 'stop' && each.hasLimit) ? d(each.price) : null;
      const stopPrice = type === 'stop' ? d(each.stopPrice) : null;
      const quantity = d(each.hundredths / 100);
      model.place({ side, type, price: limit, stopPrice, quantity, placedAt: second * 1_000 - 1 }, last);
    } else if (each.do === 'tick') {
      last = d(each.price);
      const [high, low] = [each.price + each.above, each.price - each.below].map(String);
      const volume = each.volume === null ? null : String(each.volume / 4);
      const tick = tickAt(second, String(each.price), { high, low, volume });
      model.tick(tick);
      // The same tick again, as after a crash: it changes nothing.
      assert.equal(model.tick(tick), 0);
    } else if (each.do === 'cancel') model.cancel(each.index, second * 1_000);
    else {
      nowMs += each.minutes * 60_000;
      model.settle(nowMs, isCut ? each.writes : settlementWrites);
    }
    for (const asset of assets) assert.ok(model.funds.free(asset).sign >= 0, `${asset} below 0`);
  }
  return model;
}

function settled(model: PaperModel): PaperModel {
  for (let n = 0; model.isDue; n++) {
    assert.ok(n < 10, 'a settlement does not end');
    model.settle(Number.MAX_SAFE_INTEGER);
  }
  return model;
}

describe('the money of a paper account', function () {
  this.timeout(60_000);
  const paths = fc.array(step, { minLength: 5, maxLength: 60 });

  it('is what the fills make of it, is never below 0, and a settlement that was cut off changes nothing', () => {
    let fills = 0;
    fc.assert(
      fc.property(paths, (steps) => {
        const [cut, whole] = [settled(play(steps, true)), settled(play(steps, false))];
        for (const asset of assets) {
          assert.equal(cut.held(asset), cut.expected(asset));
          assert.equal(whole.held(asset), whole.expected(asset));
          assert.equal(cut.held(asset), whole.held(asset));
          assert.ok(Decimal.parse(cut.held(asset)).sign >= 0);
        }
        const money = ({ cash, holdings }: PaperModel['account']) => ({ cash, holdings });
        assert.deepEqual(money(cut.account), money(whole.account));
        fills += cut.account.booked?.length ?? 0;
      }),
      { numRuns: 2_000 },
    );
    assert.ok(fills > 2_000, `${fills} fills`);
  });

  it('is free again in whole once every order has ended', () => {
    fc.assert(
      fc.property(paths, (steps) => {
        const model = play(steps, true);
        for (let n = 0; n < steps.length; n++) model.cancel(0, 1e12);
        for (const asset of assets) assert.equal(String(model.funds.free(asset)), model.expected(asset));
      }),
      { numRuns: 500 },
    );
  });
});
