import { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import { groupBy } from '../../compute/model/group-by.js';
import type { Account, StoredHolding } from './accounts.js';
import { backOff } from '../servers/back-off.js';
import { costPlaces } from './settle-holding.js';
import type { Storage } from '../index.js';
import type { TellLive } from '../live/live-events.js';
import { boundedCache } from '../process/bounded-cache.js';
import type { Position, UserPositions } from './positions.js';
import type { LatestPrices } from '../candles/latest-prices.js';
import type { Price } from '../../compute/model/price.js';
import type { Market } from '../candles/series.js';

const tries = 10;

function rethrow(error: unknown): never {
  throw error;
}

/** An unchanged price is written again when its time is this much newer. */
const timeStepMs = 30_000;

/** How often a user hears that prices have moved. */
const priceNewsMs = 15_000;

/** The market whose prices are used for the exchange of that name. */
export type MarketOf = (exchange: string) => Market;

/** Computes the positions of users from the holdings of their accounts and present prices. */
export class PositionUpdater {
  readonly #storage: Pick<Storage, 'accounts' | 'positions'>;
  readonly #prices: LatestPrices;
  readonly #marketOf: MarketOf;
  readonly #tell: TellLive;
  /** The users who were told of a price that moved lately. */
  readonly #toldPrices = boundedCache<true>(20_000, { ttl: priceNewsMs });

  /** `tell`: hears whose positions have changed. */
  constructor(
    storage: Pick<Storage, 'accounts' | 'positions'>,
    prices: LatestPrices,
    marketOf: MarketOf,
    tell: TellLive = () => Promise.resolve(),
  ) {
    this.#storage = storage;
    this.#prices = prices;
    this.#marketOf = marketOf;
    this.#tell = tell;
  }

  /**
   * Updates the positions of these users in one bulk write and returns how many changed. Several processes may do it at
   * the same time: positions whose accounts changed meanwhile are computed again. `unreadable` is called with the error of
   * an account that cannot be read: the positions of its user stay as they are, and the other users are updated, unless it throws. Throws
   * `queue_full` after ten collisions.
   */
  async refresh(userIds: readonly string[], unreadable: (error: unknown) => void = rethrow): Promise<number> {
    let written = 0;
    for (let n = 0; n < tries; n++) {
      // The revisions are read first, so that the write is refused if another process wrote in between.
      const before = await this.#storage.positions.ofUsers(userIds);
      const accounts = await this.#storage.accounts.ofUsers(userIds);
      const changed = await this.#changed(userIds, before, accounts, unreadable);
      const refused = await this.#storage.positions.write(changed);
      written += changed.length - refused;
      await this.#tellOwners(changed, new Map(before.map((each) => [each.userId, each])));
      if (refused === 0) return written;
      await backOff(n);
    }
    throw new AppError('queue_full', `positions changed ${tries} times while they were brought up to date`);
  }

  /** A holding that has changed is told at once, a price that has moved now and then. */
  async #tellOwners(
    changed: readonly UserPositions[],
    before: ReadonlyMap<string, UserPositions>,
  ): Promise<void> {
    const told = changed.filter((each) => {
      const { userId } = each;
      if (holdingsText(before.get(userId)) === holdingsText(each) && this.#toldPrices.has(userId))
        return false;
      this.#toldPrices.set(userId, true);
      return true;
    });
    if (told.length > 0)
      await this.#tell(told.map(({ userId }) => ({ to: { userId }, name: 'position', data: {} })));
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

/** The positions of one user and the status of the accounts. */
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

/** Unrealised profit: the value at the price minus the cost. */
function profit(quantity: string, cost: string, price: number): number {
  const difference = Decimal.read(quantity).times(decimalOf(price)).minus(Decimal.read(cost));
  // Rounded to the places of the stored cost; finer digits would only show its rounding.
  return Number(String(difference.round(costPlaces, 'half-even')));
}

/** The decimal with the digits that the number prints. */
export const decimalOf = (value: number): Decimal => Decimal.read(String(value));

/** What a user holds where, whatever it is worth, and what is wrong with the accounts. */
const holdingsText = (of: UserPositions | undefined): string =>
  JSON.stringify([
    of?.positions.map(({ exchange, coin, quantity }) => [exchange, coin, quantity]),
    of?.accounts.map(({ exchange, fault }) => [exchange, fault]),
  ]);

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
