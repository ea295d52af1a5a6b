/** A request as ccxt knows it before it is signed. */
export interface CcxtRequest {
  /** ccxt's name of the API, the method and the path without its parameters, such as `private POST order`. */
  name: string;
  /** In ccxt's units. */
  cost: number;
  params: Readonly<Record<string, unknown>>;
}

/** A limit of an exchange: so many units in any span of time. */
export interface RequestLimit {
  name: string;
  /** Whether all requests from here count together, or those of each account. */
  scope: 'address' | 'account';
  /** Matches the names of the requests that it counts. */
  counts: RegExp;
  /** Whether each endpoint has a limit of its own. */
  isByEndpoint?: boolean;
  /** Units for one unit of ccxt's cost. Default: each request is one unit. */
  unitsPerCost?: number;
  /** The units of requests whose cost in ccxt is another, by name. */
  units?: Readonly<Record<string, (params: CcxtRequest['params']) => number>>;
  most: number;
  windowMs: number;
  /** The header of answers that tells how much is used; or those that tell the limit, and how much of it is left. */
  told?: { used: string } | { most: string; left: string };
}

/**
 * The classes of requests, the most urgent first: the part of a limit that may be used, by all requests together, for one of the
 * class to be sent. A class goes on where all lower ones wait, so it never waits for them. With these parts 200 accounts of
 * Binance can be read (20 each of 6,000) and given an order at any time, after 600 for other orders in that minute.
 */
export const urgencyShares = {
  /** Stops, cancels and closes. */
  protect: 1,
  /** Entries. */
  enter: 0.94,
  /** Look-ups of orders in doubt. */
  lookUp: 0.92,
  /** Reads that a decision or a user waits for. */
  decide: 0.9,
  /**
   * Comparisons of accounts that orders wait for, which come for all accounts at once when a worker starts. What is in doubt at the
   * exchange is looked up in what they leave.
   */
  compare: 0.6,
  /**
   * Subscriptions to private streams, which come for all accounts at once when a worker starts. Together they use a tenth at most, on
   * Binance five a second, and nothing is kept for them.
   */
  stream: 0.6,
  /** What is read again and again. A tenth is kept for it, whatever the others use. */
  poll: 0.1,
};

export type Urgency = keyof typeof urgencyShares;
