import type { Decimal } from '../../../compute/model/decimal.js';
import { pairName } from '../../../compute/model/market-pair.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { admitOrder, lockedAsset } from '../../../compute/paper/admit-order.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import type { PaperOrder } from '../../../compute/paper/paper-order.js';
import { paperTerms } from '../../../compute/paper/paper-terms.js';
import { isMongoUnavailable } from '../../servers/mongo.js';
import type { OrderRef, Placement, VenueOrder, VenueOrderState } from '../trading-venue.js';
import type { PaperFunds } from './paper-funds.js';
import type { PaperOrderRepository } from './paper-orders.js';
import { rowOf, stateOf, storedOrders, type PaperOrderRow } from './paper-rows.js';

export interface PlacementTools {
  orders: PaperOrderRepository;
  fundsOf: (userIds: readonly string[]) => Promise<Map<string, PaperFunds>>;
  find: (refs: readonly OrderRef[]) => Promise<(VenueOrderState | null)[]>;
}

/** Rounds in which an order lost its number to another order of its user, before the order is refused. */
const mostCollisions = 20;

const clientOrderIdPattern = /^[a-z0-9]{1,36}$/;

/**
 * One call of `place`. Each round stores at most one order of each user, all in one write. The number of an order is the one that
 * follows the user's orders as they were read, and it is unique: when another process has placed an order of this user
 * since, the write of this order is refused, and it is decided again on what is free then. So the orders of an account never lock
 * more than it has.
 */
export class PaperPlacement {
  readonly #orders: readonly VenueOrder[];
  readonly #prices: ReadonlyMap<string, Decimal>;
  readonly #tools: PlacementTools;
  readonly #answers: Placement[];
  readonly #funds = new Map<string, PaperFunds>();
  /** Orders that lost their number, and how often. */
  readonly #collisions = new Map<number, number>();

  /** `prices`: the last prices by pair, for orders at market. */
  constructor(orders: readonly VenueOrder[], prices: ReadonlyMap<string, Decimal>, tools: PlacementTools) {
    this.#orders = orders;
    this.#prices = prices;
    this.#tools = tools;
    this.#answers = orders.map(() => ({ unknown: 'the order was not placed yet' }));
  }

  async run(): Promise<Placement[]> {
    let open = this.#orders.map((_, index) => index);
    try {
      while (open.length > 0) open = await this.#round(open);
      await this.#keepKnown();
    } catch (error) {
      if (!isMongoUnavailable(error)) throw error;
      // A refusal that was not compared with what stands is not known either.
      for (const [index, answer] of this.#answers.entries())
        if (open.includes(index) || 'refused' in answer)
          this.#answers[index] = { unknown: 'MongoDB did not answer' };
    }
    return this.#answers;
  }

  /** Decides and stores the first open order of each user; answers the indexes that are left. */
  async #round(open: readonly number[]): Promise<number[]> {
    await this.#readFunds(open);
    const users = new Set<string>();
    const rows = new Map<number, PaperOrderRow>();
    const left: number[] = [];
    for (const index of open) {
      const { userId } = this.#orders[index];
      if (users.has(userId)) left.push(index);
      else {
        const row = this.#decide(index);
        if (row) rows.set(index, row);
        if (row) users.add(userId);
      }
    }
    const refused = await this.#tools.orders.add([...rows.values()]);
    const lost = [...rows].filter(([, { _id }]) => refused.has(_id));
    for (const [index, row] of rows) if (!refused.has(row._id)) this.#placed(index, row);
    return [...(await this.#lost(lost)), ...left].sort((one, other) => one - other);
  }

  async #readFunds(open: readonly number[]): Promise<void> {
    const unread = [...new Set(open.map((index) => this.#orders[index].userId))].filter(
      (userId) => !this.#funds.has(userId),
    );
    if (unread.length === 0) return;
    for (const [userId, funds] of await this.#tools.fundsOf(unread)) this.#funds.set(userId, funds);
  }

  /** The row to store; null when the order is answered already. */
  #decide(index: number): PaperOrderRow | null {
    const { userId, owner, clientOrderId: id, account, ...terms } = this.#orders[index];
    const funds = this.#funds.get(userId)!;
    const known = funds.orders.get(id);
    const admitted = known ? null : this.#admit({ id, ...terms, placedAt: Date.now() }, account, funds);
    if (admitted && !('refused' in admitted)) return rowOf(admitted, userId, owner, funds.nextSeq);
    if (known) this.#answers[index] = { state: stateOf(known) };
    if (admitted) this.#answers[index] = admitted;
    return null;
  }

  #admit(
    order: Omit<PaperOrder, 'bound'>,
    account: TradingAccount,
    funds: PaperFunds,
  ): PaperOrder | { refused: string } {
    if (account !== 'SPOT') return { refused: `the paper exchange trades on SPOT, not on ${account}` };
    const rules = demoPairRules(order.pair);
    if (!rules) return { refused: `${pairName(order.pair)} is not traded on the paper exchange` };
    if (!clientOrderIdPattern.test(order.id))
      return { refused: `the client order id must be 1 to 36 of a-z and 0-9, found "${order.id}"` };
    const lastPrice = this.#prices.get(pairName(order.pair)) ?? null;
    return admitOrder(order, { rules, terms: paperTerms, lastPrice, free: funds.free(lockedAsset(order)) });
  }

  #placed(index: number, row: PaperOrderRow): void {
    this.#funds.get(row.userId)!.add(row);
    this.#answers[index] = { state: stateOf(storedOrders([row]).get(row._id)!) };
  }

  /** Orders that were not stored: their id is known, or their number was taken. Answers those to decide again. */
  async #lost(lost: readonly [number, PaperOrderRow][]): Promise<number[]> {
    if (lost.length === 0) return [];
    const states = await this.#tools.find(lost.map(([index]) => this.#orders[index]));
    const again: number[] = [];
    const outdated: string[] = [];
    for (const [n, [index, row]] of lost.entries()) {
      const state = states[n];
      const collisions = (this.#collisions.get(index) ?? 0) + 1;
      this.#collisions.set(index, collisions);
      if (state) this.#answers[index] = { state };
      else if (collisions > mostCollisions)
        this.#answers[index] = { refused: 'too many orders of this account are placed at the same time' };
      else again.push(index);
      outdated.push(row.userId);
    }
    for (const userId of outdated) this.#funds.delete(userId);
    return again;
  }

  /** An order that was placed before, and has ended since, is answered as it stands, whatever is free now. */
  async #keepKnown(): Promise<void> {
    const refused = this.#answers.flatMap((answer, index) => ('refused' in answer ? [index] : []));
    if (refused.length === 0) return;
    const states = await this.#tools.find(refused.map((index) => this.#orders[index]));
    for (const [n, index] of refused.entries()) {
      const state = states[n];
      if (state) this.#answers[index] = { state };
    }
  }
}
