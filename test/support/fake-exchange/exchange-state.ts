import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExchangeRefusal } from './book/exchange-refusal.js';
import { MatchingEngine } from './book/matching-engine.js';
import type { BookOrder, BookTrade } from './book/book-order.js';
import type { ExchangeCommand } from './book/exchange-command.js';
import { FaultScript, type RequestFault, type RequestKind } from './fault-script.js';
import type { QuotaCounter } from './quotas/request-quota.js';

/** What decides whether something befalls a request. */
export type FaultedRequest = Pick<RequestLine, 'kind' | 'path' | 'query' | 'apiKey'>;

/** A request that the exchange received. */
export interface RequestLine {
  at: number;
  kind: RequestKind;
  method: string;
  path: string;
  apiKey: string;
  query: string;
  clientOrderId: string | null;
  /** Of the answer; 0 while there is none. */
  status: number;
  /** When it came, in ms of a clock that nobody sets. */
  cameAt: number;
  /** What befell it; null: nothing. */
  fault: string | null;
  /** Whether it was refused because of a limit. */
  isBeyondLimit?: boolean;
}

/** What the exchange is now: its book, which outlives the process, and its faults, which do not. */
export class ExchangeState {
  readonly engine = new MatchingEngine();
  readonly #file: string | null;
  /** How far its clock is ahead of this machine's. */
  aheadMs = 0;
  /** The time of its clients in ms. */
  clientTime: () => number = Date.now;
  readonly startedAtMs = Date.now();
  /** Until when it refuses every request because of maintenance, in its own time. */
  maintenanceUntil = 0;
  faults: { next(request: FaultedRequest): RequestFault | null } = new FaultScript();
  /** Changes the rows of candles and of trades before they are sent. */
  changeRows: (rows: unknown[]) => unknown[] = (rows) => rows;
  /** Counts requests for its limits; null: they do not hold. */
  quotas: QuotaCounter | null = null;
  /** How long a trade is missing in lists, while its order shows it already. */
  tradesLateMs = 0;
  /** The process that `kill client` and `stop client` concern. */
  clientPid: number | null = null;
  readonly requests: RequestLine[] = [];
  readonly #hiddenUntil = new Map<BookOrder, number>();
  readonly #listeners = new Set<(command: ExchangeCommand) => void>();

  /** `folder` keeps the commands; null: nothing does. */
  constructor(folder: string | null) {
    this.#file = folder && join(folder, 'commands.jsonl');
    if (this.#file && existsSync(this.#file)) this.#repeat(readFileSync(this.#file, 'utf8'));
  }

  /** Does again what was done before the process was killed; a last line that was not written to its end is left out. */
  #repeat(lines: string): void {
    for (const line of lines.split('\n').slice(0, -1)) {
      const { at, command } = JSON.parse(line) as { at: number; command: ExchangeCommand };
      try {
        this.engine.apply(command, at);
      } catch (error) {
        if (!(error instanceof ExchangeRefusal)) throw error;
      }
    }
  }

  get nowMs(): number {
    return this.clientTime() + this.aheadMs;
  }

  /** Does a command, after it was kept. Answers its order; throws the exchange's refusal. */
  apply(command: ExchangeCommand): BookOrder | null {
    const at = Math.floor(this.nowMs);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify({ at, command })}\n`);
    const order = this.engine.apply(command, at);
    for (const listener of this.#listeners) listener(command);
    return order;
  }

  /** Calls a listener after each command that was done. */
  onCommand(listener: (command: ExchangeCommand) => void): void {
    this.#listeners.add(listener);
  }

  hide(order: BookOrder, ms: number): void {
    this.#hiddenUntil.set(order, this.nowMs + ms);
  }

  /** The trades of an account that lists show by now. */
  tradesOf(apiKey: string): BookTrade[] {
    const { orders, trades } = this.engine;
    return trades.filter(
      ({ account, orderId, time }) =>
        account === apiKey && time + this.tradesLateMs <= this.nowMs && !this.isHidden(orders[orderId - 1]),
    );
  }

  isHidden(order: BookOrder): boolean {
    return (this.#hiddenUntil.get(order) ?? 0) > this.nowMs;
  }
}
