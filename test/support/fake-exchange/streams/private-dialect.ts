import type { BookOrder, BookTrade } from '../book/book-order.js';
import type { MatchingEngine } from '../book/matching-engine.js';
import type { BookKind } from '../book/traded-pair.js';
import type { StreamKeys } from './stream-keys.js';

/** What a connection is told of one account. */
export interface PrivateLine {
  apiKey: string;
  /** Markets of the book, and topics where there are any. */
  kinds: readonly BookKind[];
  topics?: Set<string>;
  /** The key or token that it ends with; null: it never ends. */
  token: string | null;
}

/** A connection, with its lines by name. */
export interface PrivateConnection {
  lines: Map<string, PrivateLine>;
  /** What the dialect remembers of it. */
  apiKey?: string;
  kinds?: readonly BookKind[];
}

export interface PrivateTools {
  engine: MatchingEngine;
  keys: StreamKeys;
  nowMs: number;
  /** Whether the exchange streams nothing of an account. */
  isRefused: (apiKey: string) => boolean;
}

/** What has changed for an account. */
export type AccountChange =
  /** `trade`: the order was traded by it; null: it was accepted or has ended. */
  | { order: BookOrder; trade: BookTrade | null }
  /** Money has moved, by orders or by anything else. */
  | { kind: BookKind; asset: string; isByOrder: boolean };

/** How an exchange speaks in private streams. */
export interface PrivateDialect {
  /** Begins a connection with a path; 'refused' where the path is one of theirs and its key or token is not valid; null for another path. */
  open(path: string, tools: PrivateTools): PrivateConnection | 'refused' | null;
  welcome?: object;
  /** Answers a message, and opens lines; null for a message that it does not know. */
  answer(message: Record<string, unknown>, connection: PrivateConnection, tools: PrivateTools): object | null;
  /** What is told of a change on a line; it may be nothing. */
  tell(change: AccountChange, line: PrivateLine, tools: PrivateTools): object[];
  /** A message as it is sent on a line. */
  wrap?(message: object, name: string): object;
  /** The last message of a line whose key or token has expired. */
  expired?(line: PrivateLine, nowMs: number): object;
}
