import { Decimal } from '../../../compute/model/decimal.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { admitOrder, lockedAsset } from '../../../compute/paper/admit-order.js';
import { matchOrder } from '../../../compute/paper/match-order.js';
import { changesOf } from '../../../compute/paper/paper-money.js';
import type { PaperOrder } from '../../../compute/paper/paper-order.js';
import { newAccount, type Account } from '../../../storage/accounts/accounts.js';
import { PaperFunds } from '../../../storage/exchanges/paper/paper-funds.js';
import {
  eventOf,
  eventRowOf,
  isOrderRow,
  orderOf,
  rowOf,
  storedOrders,
  type PaperEventRow,
  type PaperOrderRow,
} from '../../../storage/exchanges/paper/paper-rows.js';
import { incompleteOrders, planSettlement } from '../../../storage/exchanges/paper/plan-settlement.js';
import { abc, roundTerms, wholeRules } from './paper-cases.js';

type AnyRow = PaperOrderRow | PaperEventRow;

/** The writes of a settlement; it may be cut off before each of them. */
export const settlementWrites = 5;

/** One paper account with its orders in memory, over the code that decides what is written. */
export class PaperModel {
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
