import type { Redis } from 'ioredis';
import { Decimal } from '../../../compute/model/decimal.js';
import type { MarketTick } from '../../../compute/model/market-tick.js';
import { Prices } from '../../../storage/candles/prices.js';
import { MarginMatcher } from '../../../storage/exchanges/paper/margin/margin-matcher.js';
import { PaperAccounts } from '../../../storage/exchanges/paper/paper-accounts.js';
import { PaperMatcher } from '../../../storage/exchanges/paper/paper-matcher.js';
import { PaperSettler } from '../../../storage/exchanges/paper/paper-settler.js';
import { PaperVenue } from '../../../storage/exchanges/paper/paper-venue.js';
import { PaperAccount } from '../../../storage/exchanges/paper-account.js';
import type { Storage } from '../../../storage/index.js';
import type { VenueRig } from '../venues/venue-rig.js';
import { freshMargin } from '../../../storage/exchanges/paper/margin/margin-states.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import type { ReportFaulty } from '../../../storage/exchanges/paper/faulty-items.js';

/** For tests in which no data are faulty: throws the error. */
export const noFaults: ReportFaulty = (_id, error) => {
  throw error;
};

/** USDT that a paper account begins with in tests. */
const paperStart = '0';

export const btcUsdt = { base: 'BTC', quote: 'USDT' };

let users = 0;

/** The paper exchange over a storage, with a market whose price the test sets. */
export class PaperRig implements VenueRig {
  readonly pair = btcUsdt;
  readonly venue: PaperVenue;
  readonly other: PaperVenue;
  readonly matcher: PaperMatcher;
  readonly margin: MarginMatcher;
  readonly settler: PaperSettler;
  readonly #storage: Storage;
  readonly #redis: Redis;
  #lastAt = Date.now();

  /** `startingBalance`: what an account begins with, in USDT. `report`: of faulty data; by default there are none. */
  constructor(
    storage: Storage,
    redis: Redis,
    {
      startingBalance = paperStart,
      report = noFaults,
    }: { startingBalance?: string; report?: ReportFaulty } = {},
  ) {
    this.#storage = storage;
    this.#redis = redis;
    this.venue = new PaperVenue({ storage, redis, startingBalance });
    this.other = new PaperVenue({ storage, redis, startingBalance });
    this.matcher = new PaperMatcher(storage.paperOrders, report);
    this.margin = new MarginMatcher(storage.paperMargin, report);
    const accounts = new PaperAccounts(storage.accounts, startingBalance);
    this.settler = new PaperSettler(storage.paperOrders, accounts, report);
  }

  /** What an engine needs to trade on it. */
  get forEngine() {
    const match = async (ticks: readonly MarketTick[]): Promise<string[]> => {
      const [orders, owners] = await Promise.all([this.matcher.match(ticks), this.margin.match(ticks)]);
      return [...new Set([...orders.map(({ owner }) => owner), ...owners])];
    };
    return { venues: new Map([[this.venue.id, this.venue]]), match };
  }

  user = async (quote: string): Promise<string> => {
    const userId = `paper${++users}`;
    await this.give(userId, 'USDT', quote);
    return userId;
  };

  positionUser = async (account: TradingAccount, quote: string): Promise<string> => {
    const userId = `paper${++users}`;
    const before = freshMargin(userId, account === 'MARGIN' ? account : 'FUTURES', quote);
    await this.#storage.paperMargin.write([{ before, after: { state: before.state, levels: [] } }]);
    return userId;
  };

  /** Adds to what a user has; the price of the asset is 60,000. */
  give = async (userId: string, asset: string, quantity: string): Promise<void> => {
    const account = new PaperAccount(this.#storage.accounts, userId, paperStart);
    await account.give([{ asset, quantity: Decimal.parse(quantity), price: Decimal.parse('60000') }]);
  };

  price = async (price: string): Promise<void> => {
    const tick = await this.putPrice(price);
    await this.matcher.match([tick]);
    await this.margin.match([tick]);
    await this.settleAll();
  };

  /** Stores a price, and answers its tick. */
  async putPrice(price: string): Promise<MarketTick> {
    const tick = this.tick(price);
    await new Prices(this.#redis).put('demo', [
      { ...this.pair, price: Number(price), change24hPercent: null, time: tick.at },
    ]);
    return tick;
  }

  /** The next tick: it is later than every order that stands. */
  tick(price: string, { high = price, low = price, volume = null as string | null } = {}): MarketTick {
    const since = this.#lastAt;
    this.#lastAt = Math.max(Date.now() + 1, since + 1);
    const [one, most, least] = [price, high, low].map((text) => Decimal.parse(text));
    return {
      pair: this.pair,
      price: one,
      high: most,
      low: least,
      volume: volume === null ? null : Decimal.parse(volume),
      since,
      at: this.#lastAt,
    };
  }

  async settleAll(): Promise<void> {
    while ((await this.settler.settle()) > 0);
  }

  total = async (userId: string, asset: string): Promise<Decimal> => {
    const balances = await new PaperAccount(this.#storage.accounts, userId, paperStart).balances();
    return balances.find((each) => each.asset === asset)?.quantity ?? Decimal.zero;
  };
}
