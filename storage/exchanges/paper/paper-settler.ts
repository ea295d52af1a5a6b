import { groupBy } from '../../../compute/model/group-by.js';
import { FaultyItems, type ReportFaulty } from './faulty-items.js';
import type { PaperAccounts } from './paper-accounts.js';
import type { PaperOrderRepository } from './paper-orders.js';
import { incompleteOrders, planSettlement, type Settlement } from './plan-settlement.js';

/** Events whose users are settled in one round. */
const eventsAtOnce = 500;
/** Accounts written at the same time. */
const writesAtOnce = 20;

/**
 * Books fills in paper accounts, each once. An account that is written names the fills that it has, and is written only if
 * it is still the one that was read; then the rows are marked. Cut off anywhere, a repeat goes on where it ended.
 */
export class PaperSettler {
  readonly #orders: PaperOrderRepository;
  readonly #accounts: PaperAccounts;
  readonly #faulty: FaultyItems;

  /** `report` is told of users whose fills cannot be booked; they are left out for a minute. */
  constructor(orders: PaperOrderRepository, accounts: PaperAccounts, report: ReportFaulty) {
    this.#orders = orders;
    this.#accounts = accounts;
    this.#faulty = new FaultyItems(report);
  }

  /**
   * Settles users with work, some hundred at a time, and returns how many; 0 when nothing is due, or when all of their accounts
   * were changed by others just now.
   */
  async settle(): Promise<number> {
    const userIds = await this.#orders.usersDue(eventsAtOnce, this.#faulty.ids);
    let settled = 0;
    await this.#faulty.without(userIds, String, async (some) => {
      settled += await this.#settleUsers(some);
    });
    return settled;
  }

  async #settleUsers(userIds: readonly string[]): Promise<number> {
    // Accounts first: one that changes after this is not written.
    const accounts = await this.#accounts.ofUsers(userIds);
    const live = await this.#orders.live(userIds);
    const missing = incompleteOrders(live);
    const again = new Set(missing);
    const rows = [
      ...live.filter(({ order }) => !again.has(order)),
      ...(await this.#orders.ofOrders(missing)),
    ];
    const byUser = groupBy(rows, ({ userId }) => userId);
    const plans = [...accounts].map(([userId, { account, isStored }]) => ({
      isStored,
      ...planSettlement(account, byUser.get(userId) ?? [], Date.now()),
    }));
    const done: Settlement[] = [];
    for (let from = 0; from < plans.length; from += writesAtOnce)
      await Promise.all(
        plans.slice(from, from + writesAtOnce).map(async ({ isStored, ...plan }) => {
          if (!plan.account || (await this.#accounts.write(plan.account, isStored))) done.push(plan);
        }),
      );
    await this.#orders.unwatch(done.flatMap(({ ended }) => ended));
    await this.#orders.close(done.flatMap(({ closed }) => closed));
    await this.#orders.closeDue(done.flatMap(({ closedDue }) => closedDue));
    await this.#orders.settle(done.flatMap(({ settled }) => settled));
    return done.length;
  }
}
