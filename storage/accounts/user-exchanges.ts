import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { Decimal } from '../../compute/model/decimal.js';
import { AppError, fieldError } from '../../compute/model/errors.js';
import { newAccount } from './accounts.js';
import { displacedReason, keyContext, type Connection } from './connections.js';
import { tellLive } from '../live/live-events.js';
import type { Storage } from '../index.js';
import { tellOwner } from '../mail/tell-owner.js';
import { isCash } from '../candles/pegged.js';
import type { ExchangeKey } from '../exchanges/open-ccxt.js';
import { decimalOf, PositionUpdater } from './position-updater.js';
import { LatestPrices } from '../candles/latest-prices.js';
import type { Price } from '../../compute/model/price.js';
import type { Settings } from '../process/settings.js';
import { WatchedUsers } from './watched-users.js';
import { paperName } from '../exchanges/exchange-names.js';
import { requireKeyText } from '../exchanges/key-text.js';
import type { KeyPermissions } from '../exchanges/key-permissions.js';
import { findVenue } from '../exchanges/venues/index.js';
import { KnownExchanges } from '../exchanges/known-exchanges.js';
import { PaperAccount } from '../exchanges/paper-account.js';
import { requireNoLivePositions } from '../signals/live-positions.js';

/** A connection as its owner sees it, without its key. */
export interface ConnectedExchange {
  exchange: string;
  kind: 'paper' | 'key';
  /** Whether the key may trade. */
  mayTrade: boolean;
  /** Why no orders can be placed for the account, as found on connecting; null if they can. */
  objection: string | null;
  /** When it was connected, in ms; null for the paper exchange, which is always connected. */
  connectedAt: number | null;
  /** When its account was last read completely, in ms; null if not yet, or for the paper account. */
  syncedAt: number | null;
  /** Why the last reading failed; null if it did not. */
  fault: string | null;
  /** Readings in a row that failed. */
  failures: number;
  /** How far the exchange's clock was behind this service's, in ms; null if not known. */
  clockLagMs: number | null;
  /** The user's subscriptions on it that are paused; they stay so until the user resumes them. */
  pausedSubscriptions: number;
  /** Balances of cash assets, which are not positions; decimals. */
  cash: { asset: string; quantity: string }[];
}

/** A quantity of an asset; the quantity is a decimal as text. */
export interface HoldingRequest {
  asset: string;
  quantity: string;
}

/** What becomes of signals that are still executed on an exchange when it is disconnected. Neither: it is refused. */
export interface DisconnectOptions {
  /** They are closed at market first. */
  close?: boolean;
  /** They end without an order: the user goes on with what is held. */
  handover?: boolean;
}

const pauses = {
  disconnected: 'the exchange was disconnected',
  connected: 'the exchange was connected anew: resume this if it is to trade with that key',
};

const advice =
  'close them first, or disconnect with close=true to have them closed at market, or with handover=true to go on with them by yourself';
const closing = 'they are being closed: disconnect again with close=true in a moment';

/** How long disconnecting waits for positions to be closed. */
const closeWithinMs = 10_000;
const closePollMs = 250;
/** What a holding on paper is worth at most when it is given, in USDT: far above what anybody has. */
const mostGiven = '1000000000000';

/** Finds out what a key may do. Throws when the key is not accepted. */
export type TryKey = (exchange: string, key: ExchangeKey) => Promise<KeyPermissions>;

type ExchangeSettings = Pick<Settings, 'DATA_DIR' | 'EXCHANGES' | 'MARKET' | 'PAPER_BALANCE' | 'SECRETS_KEY'>;

type Stored = Pick<
  Storage,
  | 'accounts'
  | 'candles'
  | 'connections'
  | 'executionReads'
  | 'mails'
  | 'positions'
  | 'series'
  | 'subscriptions'
  | 'users'
>;

/** What users do with exchanges: connect, list and disconnect them, and add holdings to their paper account. */
export class UserExchanges {
  readonly exchanges: KnownExchanges;
  readonly updater: PositionUpdater;
  readonly #storage: Stored;
  readonly #settings: ExchangeSettings;
  readonly #prices: LatestPrices;
  readonly #watched: WatchedUsers;

  constructor(settings: ExchangeSettings, storage: Stored, redis: Redis) {
    this.#settings = settings;
    this.#storage = storage;
    this.#prices = new LatestPrices(storage, redis);
    this.#watched = new WatchedUsers(redis);
    this.exchanges = new KnownExchanges(settings);
    this.updater = new PositionUpdater(storage, this.#prices, this.exchanges.marketOf, tellLive(redis));
  }

  /** Notes that a user looks at their positions: those are refreshed every second for a while. */
  seen(userId: string): Promise<void> {
    return this.#watched.seen(userId);
  }

  /** The newest known prices of assets on an exchange, in USDT. Assets without a price are left out. */
  pricesOf(exchange: string, assets: readonly string[]): Promise<Map<string, Price>> {
    return this.#prices.find(this.exchanges.marketOf(exchange), [...new Set(assets)]);
  }

  /** All exchanges of a user, the paper exchange first. */
  async list(userId: string): Promise<ConnectedExchange[]> {
    const connections = await this.#storage.connections.ofUser(userId);
    const displaced = await this.#storage.connections.displaced(connections);
    const accounts = await this.#storage.accounts.ofUsers([userId]);
    const paused = (await this.#storage.subscriptions.ofUser(userId)).filter(({ isPaused }) => isPaused);
    const pausedOn = (name: string) => paused.filter(({ exchange }) => exchange === name).length;
    const accountOf = (name: string) => accounts.find(({ exchange }) => exchange === name);
    const paper: ConnectedExchange = {
      exchange: paperName,
      kind: 'paper',
      mayTrade: true,
      objection: null,
      connectedAt: null,
      syncedAt: null,
      fault: null,
      failures: 0,
      clockLagMs: null,
      pausedSubscriptions: pausedOn(paperName),
      cash: accountOf(paperName)?.cash ?? [{ asset: 'USDT', quantity: this.#settings.PAPER_BALANCE }],
    };
    const keyed = connections.map((connection): ConnectedExchange => {
      const { exchange, mayTrade, objection, createdAt } = connection;
      const {
        syncedAt = null,
        fault = null,
        failures = 0,
        clockLagMs = null,
        cash: read = [],
      } = accountOf(exchange) ?? {};
      const cash = read.map(({ asset, quantity }) => ({ asset, quantity }));
      return {
        exchange,
        kind: 'key',
        mayTrade,
        objection: objection ?? (displaced.includes(connection) ? displacedReason : null),
        connectedAt: createdAt.getTime(),
        syncedAt,
        fault,
        failures,
        clockLagMs,
        pausedSubscriptions: pausedOn(exchange),
        cash,
      };
    });
    return [paper, ...keyed];
  }

  /**
   * Tests the key and connects the exchange. Nothing is stored when the test fails. Throws what `tryKey` throws,
   * `invalid_input` with the name of the field, and `already_exists`. The connection is written last: when the
   * process ends before that, the user is not connected, and a worker removes the account that has no connection. Subscriptions on
   * the exchange are paused: they were made for another key, perhaps by another person. If another connection executes signals on
   * the same account of the exchange, it goes on to do so, unless `takeover` says that this one is to.
   */
  async connect(
    userId: string,
    name: string,
    key: ExchangeKey,
    tryKey: TryKey,
    takeover = false,
  ): Promise<void> {
    this.exchanges.requireName(name);
    const { id } = this.exchanges.entry(name);
    if (!findVenue(id))
      throw fieldError(
        'exchange',
        `${name} does not report whether a key may withdraw, so its keys are not accepted`,
      );
    requireKeyText(key);
    const { accounts, connections } = this.#storage;
    const stored = await connections.find(userId, name);
    if (stored && (await accounts.find(userId, name)))
      throw new AppError('already_exists', `"${name}" is connected already; remove that connection first`, {
        details: { field: 'exchange' },
      });
    const { mayTrade, objection, accountId } = await tryKey(name, key);
    const ids = { id: connections.newId(), userId, exchange: name };
    const createdAt = new Date();
    const venueAccount = `${id} ${accountId}`;
    const claims = accountId && mayTrade ? await connections.claimsOn([venueAccount]) : [];
    const claimedAt = mayTrade && (takeover || claims.length === 0) ? createdAt : null;
    const connection = {
      ...ids,
      mayTrade,
      createdAt,
      ...(objection && { objection }),
      ...(accountId && { venueAccount, claimedAt }),
    };
    const sealed = (await this.exchanges.box()).seal(JSON.stringify(key), keyContext(connection));
    await accounts.startAnew(newAccount(userId, name, 0));
    // An earlier version could store a connection without an account. The new connection replaces it.
    if (stored) await connections.remove(userId, name, stored.id);
    await this.#storage.subscriptions.pauseFor(userId, name, pauses.connected);
    if (claimedAt) for (const other of claims) await this.#displace(other, userId);
    await connections.add({ ...connection, key: sealed });
  }

  /** Pauses what a connection is no longer to execute, and tells its owner. */
  async #displace(other: Pick<Connection, 'userId' | 'exchange'>, byUserId: string): Promise<void> {
    await this.#storage.subscriptions.pauseFor(other.userId, other.exchange, displacedReason);
    if (other.userId !== byUserId) await tellOwner(this.#storage, other.userId, 'displaced');
  }

  /**
   * Removes a connection, its key and the account read with it, and pauses the subscriptions on it. Throws `positions_open` while
   * signals are executed there, unless they are to be handed over, or closed and that is done; `invalid_input` when nothing of it is
   * stored. The key is removed first; when the process ends before the rest is removed, a repeat removes it.
   */
  async disconnect(userId: string, name: string, options: DisconnectOptions = {}): Promise<void> {
    this.exchanges.requireName(name);
    if (name === paperName) throw fieldError('exchange', `${paperName} is always connected`);
    await this.#endExecutions(userId, name, options);
    const { accounts, connections } = this.#storage;
    const wasConnected = await connections.remove(userId, name);
    const wasRead = await accounts.remove(userId, name);
    const isLeft = wasConnected || wasRead || (await this.#isShown(userId, name));
    if (!isLeft) throw fieldError('exchange', `"${name}" is not connected`);
    await this.updater.refresh([userId]);
  }

  /** The pause comes before the last look, so that nothing is bought after it. */
  async #endExecutions(userId: string, name: string, { close, handover }: DisconnectOptions): Promise<void> {
    const { executionReads, subscriptions } = this.#storage;
    const requireNone = (what: string) => requireNoLivePositions(userId, this.#storage, what, name);
    if (!close && !handover) await requireNone(advice);
    await subscriptions.pauseFor(userId, name, pauses.disconnected);
    if (handover) return executionReads.handOver({ userId, exchange: name });
    if (!close) return requireNone(advice);
    await executionReads.wishClose({ userId, exchange: name });
    for (const until = Date.now() + closeWithinMs; Date.now() < until; await delay(closePollMs))
      if ((await executionReads.openOf(userId, { exchange: name })).length === 0) return;
    await requireNone(closing);
  }

  async #isShown(userId: string, name: string): Promise<boolean> {
    const shown = await this.#storage.positions.find(userId);
    return shown?.accounts.some(({ exchange }) => exchange === name) ?? false;
  }

  /**
   * Adds holdings to the paper account at the present price, all of them or none; the same with the same key within 10 minutes, once.
   * Throws `invalid_input`.
   */
  async give(userId: string, requests: readonly HoldingRequest[], key: string | null = null): Promise<void> {
    const market = this.exchanges.marketOf(paperName);
    const assets = requests.map(({ asset }) => asset);
    const prices = await this.#prices.find(market, assets);
    const given = requests.map(({ asset, quantity: text }) => {
      const quantity = Decimal.parse(text, 'quantity');
      if (quantity.sign <= 0) throw fieldError('quantity', `"quantity" must be above 0, found "${text}"`);
      const price = prices.get(asset);
      if (!price && !isCash(asset))
        throw fieldError('asset', `there is no price of "${asset}" in the market "${market}"`);
      const holding = { asset, quantity, price: decimalOf(price?.price ?? 1) };
      if (quantity.times(holding.price).compare(Decimal.parse(mostGiven)) > 0)
        throw fieldError('quantity', `"quantity" must be worth at most ${mostGiven} USDT, found "${text}"`);
      return holding;
    });
    const request = createHash('sha256').update(JSON.stringify([key, requests]));
    const id = key === null ? null : request.digest('base64url');
    await new PaperAccount(this.#storage.accounts, userId, this.#settings.PAPER_BALANCE).give(given, id);
    await this.updater.refresh([userId]);
  }
}
