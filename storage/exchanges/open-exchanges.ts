import type { Redis } from 'ioredis';
import { AppError } from '../../compute/model/errors.js';
import { keyContext, type Connection, type ConnectionRepository } from '../connections.js';
import { CcxtSource } from '../market/ccxt-source.js';
import { GuardedExchange } from '../market/guarded-exchange.js';
import type { ExchangeKey } from '../market/open-ccxt.js';
import type { SecretBox } from '../secret-box.js';
import { openSecretBox } from '../secret-keys.js';
import type { Market } from '../series.js';
import type { Settings } from '../settings.js';
import { CcxtAccount } from './ccxt-account.js';
import { paperName, readExchanges, type ExchangeEntry } from './exchange-names.js';

export type ExchangeSettings = Pick<
  Settings,
  | 'DATA_DIR'
  | 'EXCHANGES'
  | 'MARKET'
  | 'MARKET_BUDGET_PER_MINUTE'
  | 'MARKET_URL'
  | 'PAPER_BALANCE'
  | 'SECRETS_KEY'
>;

/** The exchanges that users may connect; each is opened when it is first needed, and so are the keys. */
export class OpenExchanges {
  readonly entries: readonly ExchangeEntry[];
  readonly #settings: ExchangeSettings;
  readonly #redis: Redis;
  readonly #signal: AbortSignal;
  readonly #guards = new Map<string, Promise<GuardedExchange>>();
  #box: Promise<SecretBox> | undefined;

  /** `signal` ends what is being asked. */
  constructor(settings: ExchangeSettings, redis: Redis, signal: AbortSignal) {
    this.entries = readExchanges(settings.EXCHANGES);
    this.#settings = settings;
    this.#redis = redis;
    this.#signal = signal;
  }

  /** What clients may call an exchange, the paper exchange first. */
  get names(): string[] {
    return [paperName, ...this.entries.map(({ name }) => name)];
  }

  /** The name, if it is one. Throws `invalid_input` else. */
  requireName(name: string): string {
    if (this.names.includes(name)) return name;
    const message = `"exchange" must be one of ${this.names.join(', ')}, found "${name.slice(0, 40)}"`;
    throw new AppError('invalid_input', message, { details: { field: 'exchange' } });
  }

  /** The market whose prices count on an exchange: the paper exchange has those of the market that is served. */
  marketOf = (name: string): Market =>
    name === paperName
      ? this.#settings.MARKET
      : (this.entries.find((entry) => entry.name === name)?.id ?? 'none');

  /** An exchange that is not the paper exchange. Throws `invalid_input` for a name that is not known (any more). */
  entry(name: string): ExchangeEntry {
    const entry = this.entries.find((each) => each.name === name);
    if (entry) return entry;
    const message = `"${name}" cannot be connected with a key`;
    throw new AppError('invalid_input', message, { details: { field: 'exchange' } });
  }

  /** The exchange, within the budget and the circuit that it has as a market too. */
  guard(name: string): Promise<GuardedExchange> {
    const { id, url } = this.entry(name);
    const opened = this.#guards.get(name);
    if (opened) return opened;
    const { MARKET, MARKET_BUDGET_PER_MINUTE, MARKET_URL } = this.#settings;
    const isMarket = id === MARKET;
    const opening = GuardedExchange.open({
      redis: this.#redis,
      id,
      url: url === '' && isMarket ? MARKET_URL : url,
      budgetPerMinute: isMarket ? MARKET_BUDGET_PER_MINUTE : 0,
      signal: this.#signal,
    });
    this.#guards.set(name, opening);
    opening.catch(() => this.#guards.delete(name));
    return opening;
  }

  async source(name: string): Promise<CcxtSource> {
    return new CcxtSource(await this.guard(name));
  }

  /** The account behind a key. */
  async accountOf(name: string, key: ExchangeKey): Promise<CcxtAccount> {
    return CcxtAccount.open(await this.guard(name), key);
  }

  /** The account behind a stored connection. A key that was sealed with an older key of the box is sealed anew. */
  async open(connection: Connection, connections: ConnectionRepository): Promise<CcxtAccount> {
    const box = await this.box();
    const text = box.open(connection.key, keyContext(connection));
    if (box.isOutdated(connection.key))
      await connections.reseal(connection, box.seal(text, keyContext(connection)));
    return this.accountOf(connection.exchange, JSON.parse(text) as ExchangeKey);
  }

  box(): Promise<SecretBox> {
    if (!this.#box) {
      this.#box = openSecretBox(this.#settings);
      this.#box.catch(() => (this.#box = undefined));
    }
    return this.#box;
  }
}
