import type { Exchange } from 'ccxt';
import type { ExchangeAnswer } from './fetch-whole.js';
import type { KeyPermissions } from './key-permissions.js';
import type { ReadTrades } from './read-trades.js';
import type { VenueAnswers } from './venue-answers.js';
import type { RequestLimit } from './request-limit.js';
import type { VenueStream } from './venue-stream.js';
import type { VenueUserStream } from './venue-user-stream.js';
import type { VenueTrading } from './venue-trading.js';
import type { VenueWallets } from './venue-wallets.js';

/** The limit that an answer to a signed request reports as exceeded. */
export interface ExceededLimit {
  /**
   * `key`: other keys may go on. `address`: every request from here counts. `orders`: new orders of this key, in the part of the exchange
   * that has answered; everything else goes on.
   */
  scope: 'key' | 'address' | 'orders';
  /** The pause that the exchange names outside of Retry-After, in ms; absent if it names none. */
  pauseMs?: number;
}

/** A part of an exchange that fails, is maintained and is limited apart from the rest of it. */
export interface VenuePart<Client extends Exchange = Exchange> {
  name: string;
  /** Matches the names of its requests. */
  requests: RegExp;
  /** A cheap request that shows whether it serves. */
  probe(client: Client): Promise<unknown>;
}

/**
 * An exchange where users can connect accounts: what Tidemark knows of it beyond what ccxt hides. `Client` is its class in
 * ccxt. An exchange without a venue serves market data only.
 */
export interface Venue<Client extends Exchange = Exchange> {
  /** The ccxt id, and the name of the file. */
  id: string;
  /** Whether an API key of this exchange has a passphrase. */
  needsPassphrase: boolean;
  /** Reads what the key of the client may do; null when the answer does not say. */
  readPermissions(client: Client): Promise<KeyPermissions | null>;
  /** Reads the exchange's own id of the account of the client, where the permissions do not tell it. */
  readAccountId?(client: Client): Promise<unknown>;
  /** How the trades of an account are paged, and how far back. */
  readTrades: ReadTrades;
  /** The limits of its requests, with their source. */
  limits: readonly RequestLimit[];
  /** Its parts beside the main one, to which all other requests belong. */
  parts?: readonly VenuePart<Client>[];
  /** Reads which limit an answer reports as exceeded; null for any other answer. */
  readLimit(answer: ExchangeAnswer): ExceededLimit | null;
  /** Prepares a client that was opened with a key, before its first request for the account. */
  prepareClient?(client: Client): Promise<unknown>;
  /** What its answers mean. */
  answers: VenueAnswers;
  /** How orders are placed there; absent where Tidemark does not trade. */
  trading?: VenueTrading<Client>;
  /** The wallets of MARGIN and FUTURES. */
  wallets: VenueWallets<Client>;
  /** How its trades are followed by websocket; absent where prices are asked for. */
  stream?: VenueStream<Client>;
  /** How accounts are followed by websocket; absent where they are polled. Requires `trading`. */
  userStream?: VenueUserStream<Client>;
}
