import type { Exchange } from 'ccxt';
import type { Redis } from 'ioredis';
import type { TradingAccount } from '../../compute/model/trading-account.js';
import type { Connection, ConnectionRepository } from '../accounts/connections.js';
import { openKey } from './open-key.js';
import { CcxtSource } from './ccxt-source.js';
import { GuardedExchange, type GuardedExchangeOptions } from './guarded-exchange.js';
import type { ExchangeKey } from './open-ccxt.js';
import type { Settings } from '../process/settings.js';
import { CcxtAccount } from './ccxt-account.js';
import type { KnownExchanges } from './known-exchanges.js';
import { LoadedMarkets } from './loaded-markets.js';
import type { Urgency } from './request-limit.js';
import { findVenue } from './venues/index.js';

const spot = ['spot'] as const;

export interface OpenExchangesOptions {
  settings: Pick<Settings, 'MARKET' | 'MARKET_BUDGET_PER_MINUTE' | 'MARKET_URL'>;
  known: KnownExchanges;
  redis: Redis;
  /** Ends every request. */
  signal: AbortSignal;
  /** See `GuardedExchangeOptions`. */
  timeoutMs?: number;
  circuit?: GuardedExchangeOptions['circuit'];
}

/** The exchanges that users may connect, through ccxt. Each is opened on first use. */
export class OpenExchanges {
  readonly known: KnownExchanges;
  readonly #options: OpenExchangesOptions;
  readonly #guards = new Map<string, Promise<GuardedExchange>>();
  readonly #spotMarkets = new LoadedMarkets((name) => this.#loadMarkets(name, spot));
  readonly #allMarkets = new LoadedMarkets((name) => this.#loadMarkets(name));

  constructor(options: OpenExchangesOptions) {
    this.known = options.known;
    this.#options = options;
  }

  /** The exchange; it shares its budget and circuit with the market of the same ccxt id. */
  guard(name: string): Promise<GuardedExchange> {
    const { id, url } = this.known.entry(name);
    const opened = this.#guards.get(name);
    if (opened) return opened;
    const { settings, redis, signal, timeoutMs, circuit } = this.#options;
    const isMarket = id === settings.MARKET;
    const opening = GuardedExchange.open({
      redis,
      id,
      url: url === '' && isMarket ? settings.MARKET_URL : url,
      budgetPerMinute: isMarket ? settings.MARKET_BUDGET_PER_MINUTE : 0,
      signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(circuit && { circuit }),
    });
    this.#guards.set(name, opening);
    opening.catch(() => this.#guards.delete(name));
    return opening;
  }

  /** A client without a key that has loaded the markets of an account; see `LoadedMarkets`. */
  markets(name: string, account: TradingAccount): Promise<Exchange> {
    return account === 'FUTURES' ? this.#allMarkets.of(name) : this.#spotMarkets.of(name);
  }

  async #loadMarkets(name: string, types?: readonly string[]): Promise<Exchange> {
    const guard = await this.guard(name);
    const client = await guard.withMarkets(types ?? findVenue(guard.id)?.trading?.marketTypes ?? spot);
    await guard.ask(() => client.loadMarkets(), 'decide');
    return client;
  }

  async source(name: string): Promise<CcxtSource> {
    return new CcxtSource(await this.guard(name));
  }

  /** The account that a key opens. */
  async accountOf(name: string, key: ExchangeKey, urgency?: Urgency): Promise<CcxtAccount> {
    return CcxtAccount.open(await this.guard(name), key, urgency);
  }

  /** The account of a stored connection. */
  async open(connection: Connection, connections: ConnectionRepository): Promise<CcxtAccount> {
    return this.accountOf(connection.exchange, await this.keyOf(connection, connections));
  }

  /** The key of a stored connection. One that was sealed with an older key of the secret box is sealed again. */
  async keyOf(
    connection: Connection,
    connections: Pick<ConnectionRepository, 'reseal'>,
  ): Promise<ExchangeKey> {
    return openKey(await this.known.box(), connection, connections);
  }
}
