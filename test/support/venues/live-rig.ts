import assert from 'node:assert/strict';
import type { Redis } from 'ioredis';
import { Decimal } from '../../../compute/model/decimal.js';
import type { TradingAccount } from '../../../compute/model/trading-account.js';
import { keyContext } from '../../../storage/accounts/connections.js';
import type { CcxtAccount } from '../../../storage/exchanges/ccxt-account.js';
import { KnownExchanges } from '../../../storage/exchanges/known-exchanges.js';
import { LiveVenue } from '../../../storage/exchanges/live/live-venue.js';
import { OpenExchanges } from '../../../storage/exchanges/open-exchanges.js';
import type { Placement, VenueOrder, VenueOrderState } from '../../../storage/exchanges/trading-venue.js';
import { findVenue } from '../../../storage/exchanges/venues/index.js';
import type { Storage } from '../../../storage/index.js';
import type { OrderRequest } from '../fake-exchange/book/book-order.js';
import type { AccountSetup } from '../fake-exchange/book/exchange-command.js';
import type { DialectName } from '../fake-exchange/dialects.js';
import type { ExchangeProcess } from '../fake-exchange/exchange-process.js';
import type { VenueRig } from './venue-rig.js';

let users = 0;
let sales = 0;

/** Longer than a machine may be held up: an answer that comes is not given up. */
const defaultTimeoutMs = 4_000;

/** Opens at once after each failure would hide what a test is about. */
const patientCircuit = { failures: 1_000, pauseMs: 1 };

/** An exchange as a live venue, over the fake exchange that speaks like it. */
export class LiveRig implements VenueRig {
  readonly pair = { base: 'BTC', quote: 'USDT' };
  readonly venue: LiveVenue;
  readonly other: LiveVenue;
  readonly #exchange: ExchangeProcess;
  readonly #storage: Storage;
  readonly #redis: Redis;
  readonly #known: KnownExchanges;
  readonly #budget: number;
  /** Its id in ccxt. */
  readonly #id: DialectName;
  /** Its name in subscriptions. */
  readonly name: string;

  /** `budget`: MARKET_BUDGET_PER_MINUTE. */
  constructor(exchange: ExchangeProcess, storage: Storage, redis: Redis, budget = 1e7) {
    this.#budget = budget;
    this.#id = exchange.dialect;
    this.name = this.#id.toUpperCase();
    this.#exchange = exchange;
    this.#storage = storage;
    this.#redis = redis;
    this.#known = new KnownExchanges({
      DATA_DIR: '',
      EXCHANGES: `${this.name}=${this.#id}@${exchange.url}`,
      MARKET: this.#id,
      SECRETS_KEY: 'ab'.repeat(32),
    });
    this.venue = this.open();
    this.other = this.open();
  }

  /** A client of the exchange, as another process has. */
  open(timeoutMs = defaultTimeoutMs): LiveVenue {
    const venue = findVenue(this.#id)!;
    const exchanges = this.exchanges(timeoutMs);
    const { connections } = this.#storage;
    return new LiveVenue({ name: this.name, venue, exchanges, connections, reconnectMs: 50 });
  }

  /** The exchange as it is opened to try keys and to read accounts. */
  exchanges(timeoutMs = defaultTimeoutMs): OpenExchanges {
    return new OpenExchanges({
      settings: { MARKET: this.#id, MARKET_BUDGET_PER_MINUTE: this.#budget, MARKET_URL: '' },
      known: this.#known,
      redis: this.#redis,
      signal: new AbortController().signal,
      timeoutMs,
      circuit: patientCircuit,
    });
  }

  /** The account of a user as readings of it see it. */
  async reader(userId: string): Promise<CcxtAccount> {
    const { connections } = this.#storage;
    const connection = (await connections.find(userId, this.name))!;
    return this.exchanges().open(connection, connections);
  }

  user = (quote: string): Promise<string> => this.account({ spot: { USDT: quote } });

  /** A new user with an account of the exchange, connected by its key. */
  async account(setup: Partial<AccountSetup>): Promise<string> {
    const userId = `live${++users}`;
    const key = { apiKey: keyOf(userId), secret: `secret of ${userId}`, passphrase: 'the passphrase' };
    const usual = { bybit: { isUnified: true }, kucoin: { paysInQuote: true }, binance: {} };
    const account = { ...key, ...usual[this.#id], ...setup };
    await this.#exchange.apply({ type: 'account', account });
    await this.connect(userId, account);
    return userId;
  }

  /** Stores the key of an account as connected by a user. */
  async connect(
    userId: string,
    { apiKey, secret, passphrase }: Pick<AccountSetup, 'apiKey' | 'secret' | 'passphrase'>,
  ): Promise<void> {
    const { connections } = this.#storage;
    const ids = { id: connections.newId(), userId };
    const text = JSON.stringify({ apiKey, secret, passphrase: passphrase ?? null });
    const key = (await this.#known.box()).seal(text, keyContext(ids));
    await connections.add({ ...ids, exchange: this.name, mayTrade: true, key, createdAt: new Date() });
  }

  place = async (order: VenueOrder): Promise<Placement> => (await this.venue.place([order]))[0];

  /** Places an order that the exchange accepts. */
  async accepted(order: VenueOrder): Promise<VenueOrderState> {
    const placed = await this.place(order);
    assert.ok('state' in placed, JSON.stringify(placed));
    return placed.state;
  }

  /** Places an order that the exchange refuses, and returns its reason. */
  async refusal(order: VenueOrder): Promise<string> {
    const placed = await this.place(order);
    assert.ok('refused' in placed, JSON.stringify(placed));
    return placed.refused;
  }

  /** Looks up an order that the exchange knows. */
  async found(order: VenueOrder): Promise<VenueOrderState> {
    const [lookup] = await this.venue.find([order]);
    assert.ok(lookup && 'status' in lookup, JSON.stringify(lookup));
    return lookup;
  }

  /** Sells BTC of a user, without this service. Answers the client's id of the order. */
  async sellByHand(userId: string, more: Partial<OrderRequest>): Promise<string> {
    const clientOrderId = `own${++sales}`;
    const terms = { type: 'MARKET', timeInForce: 'IOC', quantity: '0.001' } as const;
    const order = { kind: 'spot', account: keyOf(userId), symbol: 'BTCUSDT', side: 'SELL' } as const;
    const request = { ...order, ...terms, clientOrderId, ...more };
    await this.#exchange.apply({ type: 'order', request });
    return clientOrderId;
  }

  price = (price: string): Promise<void> => this.#exchange.price('BTCUSDT', price);

  total = async (userId: string, asset: string): Promise<Decimal> =>
    Decimal.read((await this.ledgerAccount(userId)).spot[asset] ?? '0');

  async ledgerAccount(userId: string) {
    return (await this.#exchange.ledger([keyOf(userId)])).accounts[0];
  }

  /** The orders of a user as the exchange knows them. */
  async ledgerOrders(userId: string, account: TradingAccount = 'SPOT') {
    const kind = { SPOT: 'spot', MARGIN: 'margin', FUTURES: 'futures' }[account];
    const { orders } = await this.#exchange.ledger([keyOf(userId)]);
    return orders.filter((order) => order.kind === kind);
  }
}

/** The API key of a user of the rig. */
export const keyOf = (userId: string): string => `keyof${userId}`.padEnd(24, 'x');
