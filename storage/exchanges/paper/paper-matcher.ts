import type { MarketTick } from '../../../compute/model/market-tick.js';
import { demoPairRules } from '../../../compute/paper/demo-pair-rules.js';
import { matchOrder } from '../../../compute/paper/match-order.js';
import { paperTerms } from '../../../compute/paper/paper-terms.js';
import { FaultyItems, type ReportFaulty } from './faulty-items.js';
import type { PaperOrderRepository } from './paper-orders.js';
import { eventRowOf, orderOf, storedOrders, type PaperEventRow, type PaperOrderRow } from './paper-rows.js';

/** Orders matched in one round. */
const ordersAtOnce = 1_000;

/** An order that a tick has changed. */
export interface MatchedOrder {
  userId: string;
  clientOrderId: string;
  /** Id of the execution that it belongs to. */
  owner: string;
}

/**
 * Matches open orders against ticks. Any number of processes may do so at the same time: an event is stored once, and a tick that
 * comes again changes nothing.
 */
export class PaperMatcher {
  readonly #orders: PaperOrderRepository;
  readonly #faulty: FaultyItems;

  /** `report` is told of orders that cannot be matched; they are left out for a minute. */
  constructor(orders: PaperOrderRepository, report: ReportFaulty) {
    this.#orders = orders;
    this.#faulty = new FaultyItems(report);
  }

  /** Stores what the ticks do to orders. Returns the orders that changed, also those that another process changed just now. */
  async match(ticks: readonly MarketTick[]): Promise<MatchedOrder[]> {
    if (ticks.length === 0 || (await this.#orders.isEmpty())) return [];
    const reached = await Promise.all(
      ticks.map(async (tick) => (await this.#orders.reachedBy(tick)).map((row) => ({ row, tick }))),
    );
    const all = reached.flat();
    const changed: MatchedOrder[] = [];
    for (let from = 0; from < all.length; from += ordersAtOnce)
      await this.#faulty.without(
        all.slice(from, from + ordersAtOnce),
        ({ row }) => row._id,
        async (some) => {
          changed.push(...(await this.#matchSome(some)));
        },
      );
    return changed;
  }

  async #matchSome(reached: readonly { row: PaperOrderRow; tick: MarketTick }[]): Promise<MatchedOrder[]> {
    const rows = await this.#orders.ofOrders(reached.map(({ row }) => row._id));
    const orders = storedOrders(rows);
    const events: PaperEventRow[] = [];
    const stops: PaperOrderRow[] = [];
    for (const { row, tick } of reached) {
      const rules = demoPairRules(tick.pair);
      // Its user may have been removed meanwhile.
      const progress = orders.get(row._id)?.progress;
      const event =
        rules && progress && matchOrder(orderOf(row), progress, tick, { rules, terms: paperTerms });
      if (!event) continue;
      events.push(eventRowOf(row, event));
      if (row.type === 'stop' && event.end === null) stops.push(row);
    }
    // Before the event: a stop that was reached goes on at any price, and would not be found after a crash in between.
    await this.#orders.watchAlways(stops);
    await this.#orders.add(events);
    const byId = new Map(reached.map(({ row }) => [row._id, row]));
    return events.map(({ order, userId }) => ({
      userId,
      clientOrderId: order,
      owner: byId.get(order)!.owner,
    }));
  }
}
