import type { Exchange, Market, Trade } from 'ccxt';
import { AppError } from '../../compute/model/errors.js';
import type { Fill } from '../../compute/model/holding.js';
import type { GuardedExchange } from './guarded-exchange.js';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { ExchangeKey } from './open-ccxt.js';
import type { PositionAccount } from '../../compute/paper/margin/margin-terms.js';
import type { Balance, ExchangeAccount, FillPage, WalletReading, WalletTerms } from './exchange-account.js';
import { accountIdOf, type KeyPermissions } from './key-permissions.js';
import { readDecimal } from './read-decimal.js';
import type { AskTrades } from './read-trades.js';
import type { Urgency } from './request-limit.js';
import { feesOf } from './trade-fees.js';
import type { Venue } from './venue.js';
import { findVenue } from './venues/index.js';
import { exchangeRefused } from './venue-answers.js';

/**
 * Makes a ccxt client throw `exchange_unavailable` for an answer with an incomplete trade. ccxt drops rows without a time and
 * accepts rows without a side or an id, so a cost basis could be computed from a part of the fills.
 */
function requireWholeTrades(exchange: Exchange): void {
  const parse = exchange.parseTrades.bind(exchange);
  exchange.parseTrades = (rows: unknown[], market?: Market) => {
    const trades = parse(rows as Trade[], market);
    for (const trade of trades) requireWhole(trade);
    return trades;
  };
}

function requireWhole({ id, timestamp, side }: Trade): void {
  const lacks = !id
    ? 'an id'
    : !Number.isFinite(timestamp)
      ? 'a time'
      : side === 'buy' || side === 'sell'
        ? null
        : 'a side';
  if (lacks)
    throw new AppError('exchange_unavailable', `the exchange answered with a fill that lacks ${lacks}`);
}

/** Symbols that clients can name in a request; balances of other assets are left out. */
const symbol = /^[A-Z0-9]{1,20}$/;

/** How often a wallet is read at most when a transfer happens during the reading. */
const mostWalletTries = 3;

/** The account that an API key opens, read through ccxt: SPOT, and the wallets of MARGIN and FUTURES. */
export class CcxtAccount implements ExchangeAccount {
  readonly #venue: Venue;
  readonly #guard: GuardedExchange;
  readonly #key: ExchangeKey;
  readonly #client: Exchange;
  readonly #urgency: Urgency;
  #usesExchangeClock = false;

  /**
   * Loads the markets of the exchange where they are not known yet, and prepares a client with the key. Throws
   * `exchange_refused` for an exchange without a venue, and as `GuardedExchange.ask` and `askAsOwner` do.
   */
  static async open(
    guard: GuardedExchange,
    key: ExchangeKey,
    urgency: Urgency = 'poll',
  ): Promise<CcxtAccount> {
    const venue = findVenue(guard.id);
    if (!venue) throw exchangeRefused(`accounts of ${guard.id} cannot be read`);
    await guard.ask(() => guard.loadMarkets(), urgency);
    const client = await guard.withKey(key);
    client.setMarketsFromExchange(guard.exchange);
    requireWholeTrades(client);
    const account = new CcxtAccount(venue, guard, key, { client, urgency });
    if (venue.prepareClient) await account.#ask(() => venue.prepareClient!(client));
    return account;
  }

  private constructor(
    venue: Venue,
    guard: GuardedExchange,
    key: ExchangeKey,
    { client, urgency }: { client: Exchange; urgency: Urgency },
  ) {
    this.#venue = venue;
    this.#guard = guard;
    this.#key = key;
    this.#client = client;
    this.#urgency = urgency;
  }

  get clockLagMs(): number {
    return this.#guard.lagMs;
  }

  /** What the key may do, and why its account cannot be traded on. Throws `exchange_refused` when the exchange does not say. */
  async permissions(): Promise<KeyPermissions> {
    const permissions = await this.#ask(() => this.#venue.readPermissions(this.#client));
    if (permissions) return this.#withObjection(permissions);
    throw exchangeRefused(`${this.#venue.id} did not say what the key may do`);
  }

  /** The permissions with the exchange's own id of the account, where it tells it. */
  async withAccountId(permissions: KeyPermissions): Promise<KeyPermissions> {
    const venue = this.#venue;
    if (permissions.accountId || !venue.readAccountId) return permissions;
    return { ...permissions, ...accountIdOf(await this.#ask(() => venue.readAccountId!(this.#client))) };
  }

  async #withObjection(permissions: KeyPermissions): Promise<KeyPermissions> {
    const { trading } = this.#venue;
    const isTold = permissions.objection !== undefined;
    if (isTold || !trading?.objection || !permissions.mayTrade || permissions.mayWithdraw) return permissions;
    const objection = await this.#ask(() => trading.objection!(this.#client));
    return objection === null ? permissions : { ...permissions, objection };
  }

  async balances(): Promise<Balance[]> {
    const { total, used } = (await this.#ask(() => this.#client.fetchBalance())) as unknown as {
      total: Record<string, unknown>;
      used?: Record<string, unknown>;
    };
    return Object.entries(total)
      .filter(([asset, quantity]) => symbol.test(asset) && quantity !== undefined)
      .map(([asset, quantity]) => {
        const locked = used?.[asset];
        return {
          asset,
          quantity: readDecimal(quantity),
          ...(locked === undefined || locked === null ? {} : { locked: readDecimal(locked) }),
        };
      })
      .filter(({ quantity }) => quantity.sign > 0);
  }

  async fills(pair: PairSymbols, cursor: string | null): Promise<FillPage | null> {
    const name = pairName(pair);
    if (!this.#client.markets?.[name]) return null;
    const ask: AskTrades = (sinceMs, limit, params) =>
      this.#ask(() => this.#client.fetchMyTrades(name, sinceMs, limit, params));
    const read = await this.#venue.readTrades(ask, cursor, this.#guard.now());
    return read && { fills: read.trades.map((trade) => fillOf(trade, pair)), cursor: read.cursor };
  }

  get hasSharedWallet(): boolean {
    return this.#venue.wallets.isShared;
  }

  async wallet(account: PositionAccount, terms: WalletTerms): Promise<WalletReading> {
    const { wallets } = this.#venue;
    for (let n = 1; ; n++) {
      const readAt = this.#guard.now() - this.#guard.lagMs;
      const assets = await this.#ask(() => wallets.assets(this.#client, account));
      // The assets of a shared wallet are read with SPOT.
      const isEmpty = assets.length === 0 && !wallets.isShared;
      if (isEmpty && !terms.evenIfEmpty) return { assets, entries: null, readAt };
      // Exchanges send their time in whole seconds, so it may be later than it appears.
      const nowMs = this.#guard.now() - this.#guard.lagMs + 2 * clockSlackMs;
      const entries = await this.#ask(() => wallets.entries(this.#client, account, { ...terms, nowMs }));
      // A transfer since the first request may be missing in the amounts or in the ledger.
      const isMoved = entries.some(({ kind, at }) => kind === 'transfer' && at >= readAt - clockSlackMs);
      if (!isMoved || n === mostWalletTries) return { assets, entries, readAt };
    }
  }

  /** Sends one request. The first time that the exchange refuses this machine's time, it is sent again with the exchange's. */
  async #ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await this.#guard.askAsOwner(this.#key, request, this.#urgency);
    } catch (error) {
      const isClock = error instanceof AppError && error.details.reason === 'clock';
      if (!isClock || this.#usesExchangeClock) throw error;
      this.#usesExchangeClock = true;
      await this.#guard.ask(() => this.#client.loadTimeDifference(), this.#urgency);
      return this.#ask(request);
    }
  }
}

/** By how much the time of a ledger line and the time of an answer may differ. */
const clockSlackMs = 1_000;

function fillOf(trade: Trade, pair: PairSymbols): Fill {
  const { side, amount, price } = trade;
  const { baseFee, quoteFee } = feesOf(trade, pair);
  return {
    side: side === 'sell' ? 'sell' : 'buy',
    quantity: readDecimal(amount),
    price: readDecimal(price),
    baseFee,
    quoteFee,
  };
}
