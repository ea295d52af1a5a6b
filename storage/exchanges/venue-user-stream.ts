import type { Exchange } from 'ccxt';
import type { Decimal } from '../../compute/model/decimal.js';
import type { TradingAccount } from '../../compute/model/trading-account.js';

/** What a private stream tells about an order. */
export interface OrderNews {
  clientOrderId: string;
  /** The trade that it reports; null where it reports none. */
  tradeId: string | null;
  isEnded: boolean;
}

/** What an account has of an asset now. */
export interface ToldBalance {
  asset: string;
  free: Decimal;
  locked: Decimal;
}

/** What a private stream tells about an account. */
export interface AccountNews {
  /** Its subscription; absent where a connection has one account. */
  line?: string;
  orders?: readonly OrderNews[];
  /** Whether balances or positions have moved: by orders, which are told as well, or by anything else. */
  moved?: 'by orders' | 'otherwise';
  /** The balances that have changed, at a time of the exchange (ms since 1970). Absent where only a request tells them. */
  balances?: { at: number; told: readonly ToldBalance[] };
  /** Why nothing more is told about the account. */
  ended?: string;
}

/** The answer to a request. Absent `id`: to the last one. */
export interface StreamReply {
  id?: string;
  /** The subscription under which news will come. */
  line?: string;
  /** Why it was refused; absent if it was not. */
  refused?: string;
}

/** A message of a private stream. `welcome`: requests may be sent from now on. Null for a message of another kind. */
export type UserMessage = { news: AccountNews } | { reply: StreamReply } | 'welcome' | 'upkeep' | null;

/** Where a part of an account is streamed, and what to send there. */
export interface StreamTicket {
  url: string;
  /** Sent one after the other, each once the one before it was taken. */
  requests: readonly ((id: string) => object)[];
}

/** How orders and balances of accounts are followed by websocket, as far as exchanges differ. */
export interface VenueUserStream<Client extends Exchange = Exchange> {
  /** The streams of an account by name, and the accounts that each tells of: it is opened where the key opens one of them. */
  parts: Readonly<Record<string, readonly TradingAccount[]>>;
  /** How many accounts one connection carries, by part. Default: 1. */
  most?: Readonly<Record<string, number>>;
  /** After what time (ms) a part is opened again, which extends what would expire. Left out where nothing does. */
  renewMs?: Readonly<Record<string, number>>;
  /** Whether requests have to wait for a message of the exchange. */
  hasWelcome?: boolean;
  /** A message that keeps the connection alive. Left out where the ping of websockets suffices. */
  ping?: (id: string) => object;
  /** Asks for what a part needs. The address is replaced like those of ccxt unless the exchange has named it (`isTold`). */
  open(client: Client, part: string): Promise<StreamTicket & { isTold?: boolean }>;
  /** Ends the subscription of one account of several on a connection. */
  leave?: (id: string, line: string) => object;
  /** Reads a message that was parsed as JSON. Throws nothing, whatever the exchange sends. */
  read(message: object): UserMessage;
}
