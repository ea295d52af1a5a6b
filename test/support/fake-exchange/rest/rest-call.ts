import type { BookOrder, BookTrade } from '../book/book-order.js';
import type { ExchangeCommand } from '../book/exchange-command.js';
import type { MatchingEngine } from '../book/matching-engine.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';

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

/** Rows in the time range, from an id on and up to the number that a call asks for. */
export function pageOf<Row extends { id: number; time: number }>(
  { params }: RestCall,
  rows: readonly Row[],
  { idName, usual, most }: { idName: string; usual: number; most: number },
): Row[] {
  const number = (name: string, otherwise: number) =>
    params.has(name) ? Number(params.get(name)) : otherwise;
  const limit = Math.min(most, number('limit', usual));
  const [fromMs, untilMs] = [number('startTime', 0), number('endTime', Infinity)];
  const fromId = number(idName, 0);
  const found = rows.filter(({ id, time }) => id >= fromId && time >= fromMs && time <= untilMs);
  // Without a beginning the newest are answered.
  return params.has(idName) || params.has('startTime') ? found.slice(0, limit) : found.slice(-limit);
}
