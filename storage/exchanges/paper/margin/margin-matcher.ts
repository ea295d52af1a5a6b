import type { Decimal } from '../../../../compute/model/decimal.js';
import { pairName } from '../../../../compute/model/market-pair.js';
import type { MarketTick } from '../../../../compute/model/market-tick.js';
import { advanceMargin } from '../../../../compute/paper/margin/advance-margin.js';
import type { MarginAccount } from '../../../../compute/paper/margin/margin-account.js';
import { marginLevels } from '../../../../compute/paper/margin/margin-levels.js';
import { marginTerms } from '../../../../compute/paper/margin/margin-terms.js';
import type { MarginAccountRepository } from './margin-accounts.js';
import type { StoredMargin } from './stored-margin.js';
import { knownRules } from './margin-states.js';
import { FaultyItems, type ReportFaulty } from '../faulty-items.js';

/** Accounts that are read and written together. */
const accountsAtOnce = 500;

/** Rounds in which accounts were changed by others; what is left waits for the next tick. */
const mostRounds = 5;

/**
 * Matches margin and futures accounts against ticks. Any number of processes may do so at the same time: an account is written
 * over the revision that was read, and a tick that comes again changes nothing.
 */
export class MarginMatcher {
  readonly #accounts: MarginAccountRepository;
  readonly #faulty: FaultyItems;
  readonly #prices = new Map<string, Decimal>();

  /** `report` is told of accounts that cannot be matched; they are left out for a minute. */
  constructor(accounts: MarginAccountRepository, report: ReportFaulty) {
    this.#accounts = accounts;
    this.#faulty = new FaultyItems(report);
  }

  /** Stores what the ticks do to accounts. Returns the ids of the executions whose orders or positions changed. */
  async match(ticks: readonly MarketTick[]): Promise<string[]> {
    for (const { pair, price } of ticks) this.#prices.set(pairName(pair), price);
    if (ticks.length === 0 || (await this.#accounts.isEmpty())) return [];
    const owners = new Set<string>();
    const reached = await this.#accounts.reachedBy(ticks);
    for (let from = 0; from < reached.length; from += accountsAtOnce)
      await this.#faulty.without(reached.slice(from, from + accountsAtOnce), String, (some) =>
        this.#matchSome(some, ticks, owners),
      );
    return [...owners];
  }

  async #matchSome(ids: readonly string[], ticks: readonly MarketTick[], owners: Set<string>): Promise<void> {
    let open = ids;
    for (let n = 0; n < mostRounds && open.length > 0; n++) {
      const accounts = await this.#accounts.ofIds(open);
      const changes = accounts.flatMap((before) => {
        const after = this.#advanced(before, ticks);
        return after ? [{ before, after }] : [];
      });
      const changing = new Set(changes.map(({ before }) => before));
      await this.#accounts.dropOldLevels(accounts.filter((each) => !changing.has(each)));
      const written = await this.#accounts.write(changes);
      for (const { before, after } of changes)
        if (written.has(before.state.id))
          for (const owner of changedOwners(before.state, after.state)) owners.add(owner);
      open = changes.map(({ before }) => before.state.id).filter((id) => !written.has(id));
    }
  }

  /** The account after the ticks; null where they change neither it nor what it waits for. */
  #advanced({ account, state: before }: StoredMargin, ticks: readonly MarketTick[]) {
    const terms = marginTerms[account];
    const pairs = new Set([...before.orders, ...before.positions].map(({ pair }) => pairName(pair)));
    const own = ticks.filter(({ pair }) => pairs.has(pairName(pair)));
    const state = own.reduce(
      (now, tick) =>
        advanceMargin(now, { tick, prices: this.#prices, market: { rules: knownRules(tick.pair), terms } }),
      before,
    );
    // Cross positions share what they may lose, by the prices of all of them.
    const isShared = state.positions.filter(({ mode }) => mode === 'CROSS').length > 1;
    if (state === before && !isShared) return null;
    return { state, levels: marginLevels(state, this.#prices, knownRules, terms) };
  }
}

/** The executions of orders to which something happened, and of positions that the exchange has closed. */
function changedOwners(before: MarginAccount, after: MarginAccount): string[] {
  const events = new Map(before.orders.map(({ id, events: own }) => [id, own.length]));
  const orders = after.orders.filter(({ id, events: own }) => own.length !== events.get(id));
  const closed = new Set(
    orders.filter(({ isLiquidation }) => isLiquidation).map(({ pair }) => pairName(pair)),
  );
  const positions = before.positions.filter(({ pair }) => closed.has(pairName(pair)));
  return [
    ...orders.filter(({ isLiquidation }) => !isLiquidation).map(({ owner }) => owner),
    ...positions.flatMap(({ owners }) => owners),
  ];
}
