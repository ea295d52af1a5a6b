import type { FaultedRequest } from './exchange-state.js';
import type { Random } from './seeded-random.js';
import { seededRandom } from './seeded-random.js';

/** What a request asks for. */
export type RequestKind =
  | 'create'
  | 'cancel'
  | 'find'
  | 'open orders'
  | 'trades'
  | 'account'
  | 'settings'
  | 'public'
  | 'other';

/** What goes wrong with a request. `isDone`: whether the exchange does what it was asked before. */
export type RequestFault =
  /** No answer until the client gives up. */
  | { kind: 'silence'; isDone: boolean }
  /** The connection is reset. */
  | { kind: 'reset'; isDone: boolean }
  /** An answer with a status and a code of the exchange, or with a body of its own: an object, or a page. */
  | {
      kind: 'status';
      isDone?: boolean;
      status: number;
      code?: number;
      message?: string;
      retryAfter?: number | string;
      headers?: Record<string, string>;
      body?: unknown;
    }
  /** The answer stops within its body. */
  | { kind: 'stall'; isDone: boolean }
  /** It is done, and answered once a promise resolves; only in the process of the test. */
  | { kind: 'held'; until: Promise<unknown> }
  /** It is done at once and answered late. */
  | { kind: 'late answer'; ms: number }
  /** It is done late, if its receive window allows, and answered then. */
  | { kind: 'late arrival'; ms: number }
  /** It is done, and the answer is a page. */
  | { kind: 'unreadable' }
  /** It is done, and the answer is a success without a field of the order. */
  | { kind: 'empty' }
  /** Lists have their rows twice and in the opposite order. */
  | { kind: 'odd rows' }
  /** The order that it creates is not found for a time. */
  | { kind: 'hidden'; ms: number }
  /** The client's process is killed, before or after it is done. */
  | { kind: 'kill client'; isDone: boolean }
  /** The client's process is stopped for a time, before or after it is done; the answer waits for it. */
  | { kind: 'stop client'; isDone: boolean; ms: number };

/** Which requests a fault befalls. */
export interface FaultRule {
  on: RequestKind | 'signed' | 'any';
  /** Only requests of this account. */
  apiKey?: string;
  /** Only requests with this path. */
  path?: string;
  /** Requests that it lets through first. Default: 0. */
  skip?: number;
  /** Requests that it befalls; null: all. Default: 1. */
  times?: number | null;
  /** The share of requests that it befalls, by the seed. Default: 1. */
  chance?: number;
  fault: RequestFault;
}

export interface FaultScriptTerms {
  seed: number;
  rules: readonly FaultRule[];
}

interface CountedRule {
  rule: FaultRule;
  seen: number;
  used: number;
}

/** Says what befalls each request, the same each time for the same requests. */
export class FaultScript {
  readonly #rules: CountedRule[];
  readonly #random: Random;

  constructor({ seed, rules }: FaultScriptTerms = { seed: 1, rules: [] }) {
    this.#rules = rules.map((rule) => ({ rule, seen: 0, used: 0 }));
    this.#random = seededRandom(seed);
  }

  /** The fault of the next request; null: none. Of several rules that fit the first counts. */
  next(request: Pick<FaultedRequest, 'kind' | 'apiKey' | 'path'>): RequestFault | null {
    const fitting = this.#rules.filter((counted) => this.#befalls(counted, request));
    if (fitting.length === 0) return null;
    fitting[0].used++;
    return fitting[0].rule.fault;
  }

  #befalls(
    counted: CountedRule,
    { kind, apiKey, path }: Pick<FaultedRequest, 'kind' | 'apiKey' | 'path'>,
  ): boolean {
    const { on, apiKey: only, path: onPath = path, skip = 0, times = 1, chance = 1 } = counted.rule;
    const fits = on === kind || on === 'any' || (on === 'signed' && apiKey !== '');
    if (!fits || onPath !== path || (only !== undefined && only !== apiKey)) return false;
    counted.seen++;
    if (counted.seen <= skip || (times !== null && counted.used >= times)) return false;
    return chance >= 1 || this.#random() < chance;
  }
}
