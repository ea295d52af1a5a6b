import { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import type { Account, StoredHolding } from './accounts.js';
import { backOff } from '../servers/back-off.js';
import { costPlaces } from './settle-holding.js';
import type { Storage } from '../index.js';
import type { Position, UserPositions } from './positions.js';
import type { LatestPrices } from '../candles/latest-prices.js';
import type { Price } from '../../compute/model/price.js';
import type { Market } from '../candles/series.js';

const tries = 10;

function refuse(error: unknown): never {
  throw error;
}

/** A price that has not changed is written again when its time has moved by this much. */
const timeStepMs = 30_000;

/** Which market has the prices of an exchange that users know by this name. */
export type MarketOf = (exchange: string) => Market;

/** Makes the positions of users from what their accounts hold and the prices of the moment. */
export class PositionUpdater {
  readonly #storage: Pick<Storage, 'accounts' | 'positions'>;
  readonly #prices: LatestPrices;
  readonly #marketOf: MarketOf;

  constructor(storage: Pick<Storage, 'accounts' | 'positions'>, prices: LatestPrices, marketOf: MarketOf) {
    this.#storage = storage;
    this.#prices = prices;
    this.#marketOf = marketOf;
  }

  /**
   * Brings the positions of these users up to date; writes those that differ, in one go. Several processes may do it at
   * once: what was made from accounts that have changed meanwhile is made anew. Answers how many were written.
   * `unreadable` is told of an account that no positions can be made from: its user keeps those there are, the others go
   * on unless it throws.
   */
  async refresh(userIds: readonly string[], unreadable: (error: unknown) => void = refuse): Promise<number> {
    let written = 0;
    for (let n = 0; n < tries; n++) {
      // First the revisions: a write is refused when anything came between.
      const before = await this.#storage.positions.ofUsers(userIds);
      const accounts = await this.#storage.accounts.ofUsers(userIds);
      const changed = await this.#changed(userIds, before, accounts, unreadable);
      const refused = await this.#storage.positions.write(changed);
      written += changed.length - refused;
      if (refused === 0) return written;
      await backOff(n);
    }
    throw new AppError('queue_full', `positions changed ${tries} times while they were brought up to date`);
  }

  async #changed(
    userIds: readonly string[],
    before: readonly UserPositions[],
    accounts: readonly Account[],
    unreadable: (error: unknown) => void,
  ): Promise<UserPositions[]> {
    const prices = await this.#pricesOf(accounts);
    const known = new Map(before.map((each) => [each.userId, each]));
    const ofUser = groupBy(accounts, ({ userId }) => userId);
    const made: UserPositions[] = [];
    for (const userId of userIds)
      try {
        const revision = known.get(userId)?.revision ?? 0;
        made.push({ userId, ...statementOf(ofUser.get(userId) ?? [], prices), revision });
      } catch (error) {
        unreadable(error);
      }
    return made.filter((each) => differs(known.get(each.userId), each));
  }

  /** The prices by exchange and asset. */
  async #pricesOf(accounts: readonly Account[]): Promise<Map<string, Map<string, Price>>> {
    const byExchange = groupBy(accounts, ({ exchange }) => exchange);
    const found = await Promise.all(
      [...byExchange].map(async ([exchange, all]): Promise<[string, Map<string, Price>]> => {
        const assets = new Set(all.flatMap(({ holdings }) => holdings.map(({ asset }) => asset)));
        return [exchange, await this.#prices.find(this.#marketOf(exchange), [...assets])];
      }),
    );
    return new Map(found);
  }
}

function groupBy<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return groups;
}

/** What is held on the accounts of one user, and how the accounts are. */
const statementOf = (
  own: readonly Account[],
  prices: ReadonlyMap<string, Map<string, Price>>,
): Pick<UserPositions, 'positions' | 'accounts'> => ({
  positions: own.flatMap((account) => positionsOf(account, prices.get(account.exchange))),
  accounts: own.map(({ exchange, syncedAt, fault }) => ({ exchange, syncedAt, fault })),
});

const positionsOf = ({ exchange, holdings }: Account, prices?: Map<string, Price>): Position[] =>
  holdings.map((holding) => positionOf(exchange, holding, prices?.get(holding.asset)));

function positionOf(
  exchange: string,
  { asset, quantity, cost, basis }: StoredHolding,
  price?: Price,
): Position {
  return {
    coin: asset,
    exchange,
    quantity: Number(quantity),
    currentPrice: price?.price ?? null,
    change24h: price?.change24hPercent ?? null,
    pnl: price && cost !== null ? profit(quantity, cost, price.price) : null,
    costBasis: basis,
    pricedAt: price?.time ?? null,
  };
}

/** What is held at the price, less what it has cost. */
function profit(quantity: string, cost: string, price: number): number {
  const difference = Decimal.read(quantity).times(decimalOf(price)).minus(Decimal.read(cost));
  // No finer than the cost is kept: what would be left is its rounding.
  return Number(String(difference.round(costPlaces, 'half-even')));
}

/** The decimal that is written as the number is. */
export const decimalOf = (value: number): Decimal => Decimal.read(String(value));

function differs(before: UserPositions | undefined, after: UserPositions): boolean {
  if (!before) return after.accounts.length > 0;
  const text = ({ positions, accounts }: UserPositions) =>
    JSON.stringify([
      positions.map((each) => ({ ...each, pricedAt: each.pricedAt === null })),
      accounts.map((each) => ({ ...each, syncedAt: Math.floor((each.syncedAt ?? 0) / timeStepMs) })),
    ]);
  if (text(before) !== text(after)) return true;
  return after.positions.some(
    ({ pricedAt }, n) => Math.abs((pricedAt ?? 0) - (before.positions[n].pricedAt ?? 0)) >= timeStepMs,
  );
}
