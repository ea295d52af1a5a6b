import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from 'ccxt';
import { LRUCache } from 'lru-cache';
import { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import { groupBy } from '../../../compute/model/group-by.js';
import { pairName, type PairSymbols } from '../../../compute/model/market-pair.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import type { ConnectionRepository } from '../../accounts/connections.js';
import { SharedCalls } from '../../process/shared-calls.js';
import { LoadedMarkets } from '../loaded-markets.js';
import type { OpenExchanges } from '../open-exchanges.js';
import type {
  AccountFill,
  BalanceOptions,
  ReadingOptions,
  FreeBalances,
  Lookup,
  OpenVenueOrder,
  OrderRef,
  Placement,
  TradingVenue,
  VenueHolding,
  VenueMarket,
  VenueOrder,
  VenuePosition,
  VenueSilence,
} from '../trading-venue.js';
import type { Urgency } from '../request-limit.js';
import type { Venue } from '../venue.js';
import type { StreamAccount } from '../venue-stream.js';
import type { VenueTrading } from '../venue-trading.js';
import { LiveAccounts } from './live-accounts.js';
import type { LiveAccount } from './live-account.js';
import { StreamedBalances, type BalanceReading } from './stream/streamed-balances.js';
import { UserStreams } from './stream/user-streams.js';
import { unsentPlacement } from './unsent-placement.js';
import { liveMarkets } from './live-markets.js';
import { isHaltedMarket, marketSymbol, rulesOfMarket } from './market-rules.js';
import { exchangeRefused } from '../venue-answers.js';

export interface LiveVenueOptions {
  /** The name of the exchange in the setting EXCHANGES. */
  name: string;
  venue: Venue;
  exchanges: OpenExchanges;
  connections: Pick<ConnectionRepository, 'ofUsers' | 'reseal'>;
  /** See `LiveTradeStreamOptions`. */
  reconnectMs?: number;
}

/** By how much the clocks of the exchange and of this machine may differ before the exchange refuses requests. */
const clockMs = 2_000;
/** After this time (ms) the private streams have told of an order that the exchange has taken. */
const toldMs = 10_000;

/** A real exchange, on which orders are placed with the API keys that users have stored. */
export class LiveVenue implements TradingVenue {
  readonly id: string;
  readonly standingStops: ReadonlySet<TradingAccount>;
  readonly restingTargets: NonNullable<TradingVenue['restingTargets']>;
  readonly lateMs: number;
  readonly tellsLiquidations = true;
  readonly sharedWallet: ReadonlySet<TradingAccount>;
  readonly markets: ReadonlyMap<TradingAccount, VenueMarket>;
  readonly streamAccounts?: NonNullable<TradingVenue['streamAccounts']>;
  readonly #options: LiveVenueOptions;
  readonly #trading: VenueTrading;
  readonly #accounts: LiveAccounts;
  /** See `GuardedExchange.lagMs`, of the last public request. */
  #lagMs = 0;
  readonly #loaded = new LoadedMarkets(() => this.#load());
  /** The last readings of balances, by user and account. */
  readonly #readings = new LRUCache<string, BalanceReading>({ max: 1_000, ttl: 60_000 });
  /** Null where one wallet covers positions, too: what is free on SPOT changes without a word. */
  readonly #streamed: StreamedBalances | null;
  /** Readings of balances that are under way. */
  readonly #asking = new SharedCalls<Decimal | VenueSilence | null>();

  /** Requires a `venue` that has `trading`. */
  constructor(options: LiveVenueOptions) {
    this.#options = options;
    const { reconnectMs } = options;
    this.id = options.name;
    this.#trading = options.venue.trading!;
    this.standingStops = this.#trading.standingStops;
    this.restingTargets = this.#trading.restingTargets;
    this.sharedWallet = this.#trading.sharedWallet ?? new Set();
    this.#streamed = this.sharedWallet.has('SPOT') ? null : new StreamedBalances();
    this.lateMs = this.#trading.receiveWindowMs + clockMs;
    this.markets = liveMarkets(
      options.venue,
      (request) => this.#askMarket(request),
      (account) => this.#connectMarket(account),
      { lagMs: () => this.#lagMs, ...(reconnectMs !== undefined && { reconnectMs }) },
    );
    this.#accounts = new LiveAccounts({ ...options, markets: () => this.#client() });
    const { userStream: stream } = options.venue;
    if (!stream) return;
    this.streamAccounts = (listener) =>
      new UserStreams({
        stream,
        listener,
        balances: this.#streamed,
        ...(reconnectMs !== undefined && { reconnectMs }),
        guard: () => options.exchanges.guard(this.id),
        account: async (userId) => (await this.#accounts.of(userId))?.account ?? null,
      });
  }

  async probe(): Promise<void> {
    const guard = await this.#options.exchanges.guard(this.id);
    await guard.probe();
  }

  async rules(pair: PairSymbols, account: TradingAccount): Promise<PairRules | null> {
    if (!this.#trading.accounts.has(account)) return null;
    return rulesOfMarket(await this.#client(), marketSymbol(pair, account), this.#trading);
  }

  async isHalted(pair: PairSymbols, account: TradingAccount): Promise<boolean> {
    return isHaltedMarket(await this.#client(), marketSymbol(pair, account));
  }

  async freeBalances(
    userIds: readonly string[],
    asset: string,
    account: TradingAccount,
    { withinMs, ...options }: BalanceOptions = {},
  ): Promise<FreeBalances> {
    const { isolated, readSince } = options;
    const of = [asset, account, isolated && pairName(isolated)].join(' ');
    const found = await Promise.all(
      userIds.map((userId) => {
        const ask = () => this.#freeBalance(userId, asset, account, options);
        const asking = readSince ? ask() : this.#asking.run(`${userId} ${of}`, ask);
        if (withinMs === undefined) return asking;
        const late = { unknown: `it takes longer than ${withinMs / 1_000} s` };
        return Promise.race([asking, pause(withinMs, late, { ref: false })]);
      }),
    );
    return new Map(found.flatMap((free, n) => (free === null ? [] : [[userIds[n], free]])));
  }

  /** Null for an account that the exchange refuses to show. */
  async #freeBalance(
    userId: string,
    asset: string,
    account: TradingAccount,
    { isolated, readSince, maxAgeMs = 0 }: BalanceOptions,
  ): Promise<Decimal | VenueSilence | null> {
    if (isolated && account === 'MARGIN' && this.#trading.isolated)
      return this.#read(userId, (opened) => opened.isolatedFree(isolated)).catch(noAnswer);
    const some = { only: [{ account, pair: { base: asset, quote: asset } }], needed: new Set([account]) };
    const since = readSince?.(userId) ?? -Infinity;
    const told = account === 'SPOT' && this.#streamed?.of(userId);
    const last = readSince && this.#readings.get(`${userId} ${account}`);
    const isTold = told && (told.at >= since || Date.now() - since > toldMs);
    const isFresh = last && last.at >= Math.max(since, Date.now() - maxAgeMs);
    const known = isTold ? told : isFresh ? last : null;
    const holdings = known ? known.rows : await this.holdings(userId, some).catch(noAnswer);
    if (holdings === null || 'unknown' in holdings) return holdings;
    return holdings.find((each) => each.asset === asset)?.free ?? Decimal.zero;
  }

  /** Orders of a user are placed one after the other, those of several users at the same time. */
  async place(orders: readonly VenueOrder[]): Promise<Placement[]> {
    const placed = new Map<VenueOrder, Placement>();
    const ofUsers = [...groupBy(orders, ({ userId }) => userId).values()];
    await Promise.all(
      ofUsers.map(async (group) => {
        for (const order of group) placed.set(order, await this.#place(order));
      }),
    );
    return orders.map((order) => placed.get(order)!);
  }

  cancel(orders: readonly OrderRef[]): Promise<Lookup[]> {
    return this.#each(orders, 'protect', (account, order) => account.cancel(order));
  }

  find(orders: readonly OrderRef[], urgency: Urgency = 'lookUp'): Promise<Lookup[]> {
    return this.#each(orders, urgency, (account, order) => account.find(order));
  }

  async openOrders(userId: string, reading?: ReadingOptions): Promise<OpenVenueOrder[]> {
    const orders = await this.#onAccounts(userId, reading, (opened, account) => {
      const pairs = reading?.only?.filter((each) => each.account === account).map(({ pair }) => pair);
      return opened.openOrders(account, pairs);
    });
    return orders.sort((one, other) =>
      one.exchangeOrderId.localeCompare(other.exchangeOrderId, 'en', { numeric: true }),
    );
  }

  holdings(userId: string, reading?: ReadingOptions): Promise<VenueHolding[]> {
    return this.#onAccounts(userId, reading, async (opened, account) => {
      const [at, sentMs] = [Date.now(), performance.now()];
      const rows = await opened.holdings(account);
      this.#readings.set(`${userId} ${account}`, { at, rows });
      if (account === 'SPOT') this.#streamed?.noteRead(userId, { at, rows }, sentMs);
      return rows;
    });
  }

  positions(userId: string, reading?: ReadingOptions): Promise<VenuePosition[]> {
    return this.#onAccounts(userId, reading, (opened, account) => opened.positions(account));
  }

  async isHedged(userId: string, pair: PairSymbols): Promise<boolean> {
    return this.#read(userId, (opened) => opened.isHedged(marketSymbol(pair, 'FUTURES')));
  }

  async fillsSince(
    userId: string,
    pair: PairSymbols,
    account: TradingAccount,
    sinceMs: number,
  ): Promise<AccountFill[]> {
    if (!this.#trading.accounts.has(account)) return [];
    // The account knows a contract for a day after it was taken off the list: it was settled meanwhile.
    return this.#read(userId, (opened) => opened.fillsSince(pair, account, sinceMs));
  }

  async #place(order: VenueOrder): Promise<Placement> {
    try {
      if (!(await this.#lists(order)))
        return { refused: `${pairName(order.pair)} is not traded on ${order.account} of ${this.id}` };
      if (order.type === 'stop' && !this.standingStops.has(order.account))
        return { refused: `no stop orders stand on ${order.account} of ${this.id}` };
      if (order.replaces && (await this.isHalted(order.pair, order.account))) {
        // They may tell meanwhile that it trades again.
        this.#loaded.expire(this.id);
        return { postponed: `${pairName(order.pair)} is halted on ${this.id}; the order that stands stays` };
      }
      const urgency = order.reduces ? 'protect' : 'enter';
      const opened = await this.#accounts.of(order.userId, urgency);
      if (!opened) return order.isNew ? { refused: this.#notConnected } : { unknown: this.#notConnected };
      const { objection } = opened;
      const account = opened.account.as(urgency);
      const found = order.isNew ? null : await account.find(order);
      if (found) return 'unknown' in found ? found : { state: found };
      if (objection !== null && !order.reduces) return unsentPlacement(objection);
      if (order.account === 'SPOT') this.#streamed?.noteOrder(order.userId);
      const placement = await account.create(order);
      // Its rules may have changed since they were read.
      if ('refused' in placement) this.#loaded.expire(this.id);
      return placement;
    } catch (error) {
      // Nothing was sent: `create` throws nothing.
      return order.isNew ? unsentPlacement(error) : { unknown: messageOf(error) };
    }
  }

  async #each(
    orders: readonly OrderRef[],
    urgency: Urgency,
    ask: (account: LiveAccount, order: OrderRef) => Promise<Lookup>,
  ): Promise<Lookup[]> {
    return Promise.all(
      orders.map(async (order) => {
        if (!this.#trading.accounts.has(order.account)) return null;
        try {
          const account = await this.#open(order.userId, urgency);
          return await ask(account.as(urgency), order);
        } catch (error) {
          return { unknown: messageOf(error) };
        }
      }),
    );
  }

  /**
   * The rows of some accounts. One that the key does not open, and MARGIN and FUTURES where the exchange refuses to show them, count as
   * empty; `exchange_refused` if they are `needed`.
   */
  async #onAccounts<T>(
    userId: string,
    { only, needed = new Set(), urgency = 'decide' }: ReadingOptions = {},
    ask: (opened: LiveAccount, account: TradingAccount) => Promise<T[]>,
  ): Promise<T[]> {
    const opened = (await this.#open(userId)).as(urgency);
    const accounts = only ? new Set(only.map(({ account }) => account)) : this.#trading.accounts;
    const parts = [...accounts].map(async (account) => {
      const isNeeded = needed.has(account) || (account === 'SPOT' && opened.opensNow('SPOT'));
      if (!(await opened.opens(account, isNeeded))) {
        if (isNeeded) throw exchangeRefused(`the key does not open ${account} of ${this.id}`, 'key');
        return [];
      }
      return ask(opened, account).catch((error: unknown) => {
        if (!isNeeded && isRefusal(error)) return [];
        throw error;
      });
    });
    return (await Promise.all(parts)).flat();
  }

  async #read<T>(userId: string, ask: (account: LiveAccount) => Promise<T>): Promise<T> {
    return ask(await this.#open(userId));
  }

  /** Throws `exchange_refused` without a connection. */
  async #open(userId: string, urgency?: Urgency): Promise<LiveAccount> {
    const opened = await this.#accounts.of(userId, urgency);
    if (!opened) throw exchangeRefused(this.#notConnected, 'connection');
    return opened.account;
  }

  async #lists({ pair, account }: Pick<OrderRef, 'pair' | 'account'>): Promise<boolean> {
    const { markets } = await this.#client();
    return this.#trading.accounts.has(account) && markets?.[marketSymbol(pair, account)] !== undefined;
  }

  get #notConnected(): string {
    return `"${this.id}" is not connected`;
  }

  async #askMarket<T>(request: (client: Exchange) => Promise<T>): Promise<T> {
    const [client, guard] = [await this.#client(), await this.#options.exchanges.guard(this.id)];
    const answer = await guard
      .ask(() => request(client), 'decide')
      .catch((error: unknown) => {
        // It may not list a market any more.
        if (isRefusal(error)) this.#loaded.expire(this.id);
        throw error;
      });
    this.#lagMs = guard.lagMs;
    return answer;
  }

  async #connectMarket(account: StreamAccount): Promise<Exchange> {
    const [markets, guard] = [await this.#client(), await this.#options.exchanges.guard(this.id)];
    const client = await guard.withSockets();
    client.setMarketsFromExchange(markets);
    const { stream } = this.#options.venue;
    if (stream?.prepareClient) await guard.ask(() => stream.prepareClient!(client, account), 'decide');
    return client;
  }

  /** A client that has loaded the markets; see `LoadedMarkets`. */
  #client(): Promise<Exchange> {
    return this.#loaded.of(this.id);
  }

  async #load(): Promise<Exchange> {
    const guard = await this.#options.exchanges.guard(this.id);
    const client = await guard.withMarkets(this.#trading.marketTypes);
    // The first order of this process waits for them, which may be a stop.
    await guard.ask(() => client.loadMarkets(), 'protect');
    this.#lagMs = guard.lagMs;
    return client;
  }
}

/** Null for an account that the exchange refuses to show. */
function noAnswer(error: unknown): VenueSilence | null {
  if (error instanceof AppError) return error.kind === 'unavailable' ? { unknown: error.message } : null;
  throw error;
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && error.code === 'exchange_refused';

/** The message of an `AppError`. Throws any other error, because it does not come from an exchange. */
function messageOf(error: unknown): string {
  if (error instanceof AppError) return error.message;
  throw error;
}
