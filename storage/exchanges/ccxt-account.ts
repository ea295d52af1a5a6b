import type { Exchange, kucoin, Trade } from 'ccxt';
import { Decimal } from '../../compute/model/decimal.js';
import { AppError } from '../../compute/model/errors.js';
import type { Fill } from '../../compute/model/holding.js';
import type { GuardedExchange } from './guarded-exchange.js';
import { pairName, type PairSymbols } from '../../compute/model/market-pair.js';
import type { ExchangeKey } from './open-ccxt.js';
import type { Balance, ExchangeAccount, FillPage } from './exchange-account.js';
import { readTrades, type AskTrades } from './fill-pages.js';
import { readPermissions, type KeyPermissions } from './key-permissions.js';
import { requireWholeTrades } from './whole-trades.js';

/** Assets have to be names that clients can write. */
const symbol = /^[A-Z0-9]{1,20}$/;

/** The spot account of the owner of an API key, through ccxt. */
export class CcxtAccount implements ExchangeAccount {
  readonly #guard: GuardedExchange;
  readonly #key: ExchangeKey;
  readonly #exchange: Exchange;
  #clockWasSet = false;

  /** Asks for the markets of the exchange if they are not known yet, and where the account is if there are several places. */
  static async open(guard: GuardedExchange, key: ExchangeKey): Promise<CcxtAccount> {
    await guard.ask(() => guard.loadMarkets());
    const exchange = await guard.withKey(key);
    exchange.setMarketsFromExchange(guard.exchange);
    requireWholeTrades(exchange);
    const account = new CcxtAccount(guard, key, exchange);
    // Newer accounts of KuCoin are another place, of which ccxt learns with the markets, if these are asked for with a key.
    if (exchange.id === 'kucoin') await account.#ask(() => (exchange as kucoin).loadMigrationStatus());
    return account;
  }

  private constructor(guard: GuardedExchange, key: ExchangeKey, exchange: Exchange) {
    this.#guard = guard;
    this.#key = key;
    this.#exchange = exchange;
  }

  /** What the key may do. */
  permissions(): Promise<KeyPermissions> {
    return this.#ask(() => readPermissions(this.#exchange));
  }

  async balances(): Promise<Balance[]> {
    const { total } = await this.#ask(() => this.#exchange.fetchBalance());
    return Object.entries(total as unknown as Record<string, unknown>)
      .filter(([asset, quantity]) => symbol.test(asset) && quantity !== undefined)
      .map(([asset, quantity]) => ({ asset, quantity: readDecimal(quantity) }))
      .filter(({ quantity }) => quantity.sign > 0);
  }

  async fills(pair: PairSymbols, cursor: string | null): Promise<FillPage | null> {
    const name = pairName(pair);
    if (!this.#exchange.markets?.[name]) return null;
    const ask: AskTrades = (sinceMs, limit, params) =>
      this.#ask(() => this.#exchange.fetchMyTrades(name, sinceMs, limit, params));
    const read = await readTrades(this.#exchange, ask, cursor, this.#guard.now());
    return read && { fills: read.trades.map((trade) => fillOf(trade, pair)), cursor: read.cursor };
  }

  /** One question; once in a lifetime it is asked again, by the exchange's own clock. */
  async #ask<T>(question: () => Promise<T>): Promise<T> {
    // With a call that succeeded before, ccxt takes a key that is refused for an overload of the exchange.
    this.#exchange.options.hasAlreadyAuthenticatedSuccessfully = false;
    try {
      return await this.#guard.askAsOwner(this.#key, question);
    } catch (error) {
      const isClock = error instanceof AppError && error.details.reason === 'clock';
      if (!isClock || this.#clockWasSet) throw error;
      this.#clockWasSet = true;
      await this.#guard.ask(() => this.#exchange.loadTimeDifference());
      return this.#ask(question);
    }
  }
}

/** ccxt gives a trade that was charged in several assets this list; its types leave it out. */
type ChargedTrade = Trade & { fees?: Trade['fee'][] };

function fillOf({ side, amount, price, fee, fees }: ChargedTrade, { base, quote }: PairSymbols): Fill {
  const charged = fees?.length ? fees : [fee];
  const sumIn = (currency: string) =>
    charged
      .filter((each) => each?.currency === currency && each.cost !== undefined)
      .reduce((sum, each) => sum.plus(readDecimal(each!.cost)), Decimal.zero);
  return {
    side: side === 'sell' ? 'sell' : 'buy',
    quantity: readDecimal(amount),
    price: readDecimal(price),
    baseFee: sumIn(base),
    quoteFee: sumIn(quote),
  };
}

/** A number as the exchange wrote it. Throws `exchange_unavailable` for what is none: nothing of that answer counts. */
function readDecimal(value: unknown): Decimal {
  const text = String(value);
  try {
    return Decimal.read(text);
  } catch (error) {
    const message = `the exchange answered with "${text.slice(0, 40)}" where a number was expected`;
    throw new AppError('exchange_unavailable', message, { cause: error });
  }
}
