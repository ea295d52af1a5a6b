import type { Trade } from 'ccxt';

/** Trades in the order in which they happened, and the cursor after the last of them. */
export interface TradePages {
  trades: Trade[];
  cursor: string;
}

/** Sends one request for trades. `sinceMs` is undefined for requests that page by trade id. */
export type AskTrades = (sinceMs: number | undefined, limit: number, params: object) => Promise<Trade[]>;

/**
 * Reads all trades of a pair after the cursor, or from the start of the history where the cursor is null. Answers null when
 * that takes more than `maxPages` requests. Throws as `ask` does.
 */
export type ReadTrades = (ask: AskTrades, cursor: string | null, nowMs: number) => Promise<TradePages | null>;

/** Requests that one reading of a pair may take. */
export const maxPages = 50;
