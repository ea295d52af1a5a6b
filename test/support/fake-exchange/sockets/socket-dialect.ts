import type { TradedPair } from '../book/traded-pair.js';

/** Markets that have sockets of their own. */
export type SocketKind = 'spot' | 'futures';

/** A trade as the exchange tells it. */
export interface SocketTrade {
  id: string;
  price: string;
  quantity: string;
  /** In ms. */
  at: number;
}

/** What a client asks of a socket, and how that is answered. */
export interface SocketRequest {
  follow?: readonly string[];
  leave?: readonly string[];
  /** What is answered when it is taken, and when it is refused. */
  taken: object;
  refused: object;
}

/** How an exchange speaks by websocket. */
export interface SocketDialect {
  /** The market behind a path with its query; null where there is none. */
  kindOf(path: string): SocketKind | null;
  /** What is sent first. */
  welcome?: object;
  /** null for a message that it does not know, and does not answer. */
  request(message: Record<string, unknown>): SocketRequest | null;
  topicOf(pair: TradedPair, kind: SocketKind): string;
  trade(pair: TradedPair, kind: SocketKind, trade: SocketTrade): object;
}
