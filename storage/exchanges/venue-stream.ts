import type { Exchange } from 'ccxt';
import type { TradingAccount } from '../../compute/model/trading-account.js';

/** A trade in a message of a socket; `marketId` is the exchange's name of its market. */
export interface StreamTrade {
  marketId: string;
  id: string;
  /** As the exchange wrote it. */
  price: string;
  /** The exchange's time of the trade in ms; NaN where it tells none. */
  at: number;
}

/**
 * The kind of a socket message: trades, whether the last request was accepted, or upkeep such as a pong. Null for a message of
 * another kind.
 */
export type StreamMessage = { trades: readonly StreamTrade[] } | { isTaken: boolean } | 'upkeep' | null;

/** An account whose market has a socket of its own. MARGIN trades on the market of SPOT. */
export type StreamAccount = Exclude<TradingAccount, 'MARGIN'>;

/** How the public trades of an exchange are followed by websocket, as far as exchanges differ. ccxt connects and asks. */
export interface VenueStream<Client extends Exchange = Exchange> {
  /** Markets that one connection may follow. */
  most: Readonly<Record<StreamAccount, number>>;
  /** Markets that one request may name: to follow them, and to leave them. */
  atOnce: { follow: number; leave: number };
  /** Parameters of ccxt's `watchTradesForSymbols`. */
  params: Readonly<Record<string, unknown>>;
  /** Sets a new client up, before it connects. Requests that it sends count in the request budget. */
  prepareClient?(client: Client, account: StreamAccount): Promise<unknown>;
  /** Reads a message that was parsed as JSON. Throws nothing, whatever the exchange sends. */
  read(message: object): StreamMessage;
}
