import { randomUUID } from 'node:crypto';
import type { BookEntry } from '../book/book-entry.js';
import type { BookOrder, BookTrade } from '../book/book-order.js';
import type { ExchangeCommand } from '../book/exchange-command.js';
import type { BookAccount, MatchingEngine } from '../book/matching-engine.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { BookKind } from '../book/traded-pair.js';

/** A request as an endpoint sees it. */
export interface RestCall {
  params: URLSearchParams;
  /** The account that signed it; empty for public data. */
  apiKey: string;
  engine: MatchingEngine;
  /** The exchange's time in ms. */
  nowMs: number;
  /** When the process started, in the exchange's time. */
  startedAtMs: number;
  path: string;
  /** Where the client finds the exchange. */
  host: string;
  /** Does a command, and keeps it. */
  apply: (command: ExchangeCommand) => BookOrder | null;
  /** Whether queries do not find an order yet. */
  isHidden: (order: BookOrder) => boolean;
  /** The trades of the account that lists show by now. */
  trades: () => BookTrade[];
}

/** An endpoint: answers what the exchange's API answers, or throws its refusal. */
export type Endpoint = (call: RestCall) => unknown;

/** A parameter that has to be there. */
export function required({ params }: RestCall, name: string): string {
  const value = params.get(name);
  if (value === null || value === '')
    throw new ExchangeRefusal(
      -1102,
      `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
    );
  return value;
}

/** A number among the parameters, or another one where it is not there. */
export const numberIn = ({ params }: RestCall, name: string, otherwise: number): number =>
  params.has(name) ? Number(params.get(name)) : otherwise;

export const accountOf = ({ engine, apiKey }: RestCall): BookAccount => engine.accounts.get(apiKey)!;

/** Orders of the account in some markets that queries find, the oldest first. `symbol`: the book's name; null: all. */
export const ordersOf = (
  call: RestCall,
  kinds: readonly BookKind[],
  symbol = call.params.get('symbol'),
): BookOrder[] =>
  call.engine.orders.filter(
    (order) =>
      order.request.account === call.apiKey &&
      kinds.includes(order.request.kind) &&
      (symbol === null || order.request.symbol === symbol) &&
      !call.isHidden(order),
  );

/** What moved a wallet beside trades, between two times. */
export const entriesOf = (call: RestCall, kind: BookEntry['kind'] | null, from = 0, until = Infinity) =>
  call.engine.entries
    .filter((entry) => entry.account === call.apiKey && (kind === null || entry.kind === kind))
    .filter(({ time }) => time >= from && time <= until);

/** Does the order of a request. */
export const placed = (call: RestCall, request: Extract<ExchangeCommand, { type: 'order' }>['request']) =>
  call.apply({ type: 'order', request })!;

/** An id as the exchange makes one for an order without. */
export const newClientId = (): string => randomUUID().replaceAll('-', '').slice(0, 22);
