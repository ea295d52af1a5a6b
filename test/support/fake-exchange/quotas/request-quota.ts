import type { Answer } from '../exchange-dialect.js';
import type { ReceivedRequest } from '../rest/signed-account.js';

/** A limit of an exchange, as its documents state it. */
export interface RequestQuota {
  by: 'address' | 'account';
  most: number;
  windowMs: number;
  /** When a window begins: at each multiple of its length, with the first request after the last one, or before each request. */
  begins: 'clock' | 'first request' | 'always';
  /** The units of a request, and a name where some requests are counted apart; null: it is not counted. */
  unitsOf(request: ReceivedRequest, params: URLSearchParams): QuotaUnits | null;
  /** What each answer to a counted request tells. */
  headers?(usage: QuotaUsage): Record<string, string>;
  /** The answer to a request beyond the limit. */
  beyond(usage: QuotaUsage): QuotaAnswer;
  /** How long everything of the address or account is refused after so many requests beyond the limit. */
  block?: { after: number; ms: number };
}

export interface QuotaUnits {
  units: number;
  counter?: string;
  /** Replaces the limit for this counter. */
  most?: number;
}

export interface QuotaUsage {
  used: number;
  most: number;
  nowMs: number;
  /** When the window, or a block, ends. */
  untilMs: number;
  isBlocked: boolean;
}

export interface QuotaAnswer extends Answer {
  headers?: Record<string, string>;
}

interface Counter {
  startMs: number;
  counted: { atMs: number; units: number }[];
  beyond: number;
  blockedUntilMs: number;
}

/** Counts requests, and refuses those beyond a limit. Refused requests count, too. */
export class QuotaCounter {
  readonly #quotas: readonly RequestQuota[];
  readonly #counters = new Map<string, Counter>();

  constructor(quotas: readonly RequestQuota[]) {
    this.#quotas = quotas;
  }

  /** What the answer to a request tells of limits, and the refusal if it is beyond one. */
  count(
    request: ReceivedRequest,
    { params, apiKey, nowMs }: { params: URLSearchParams; apiKey: string; nowMs: number },
  ): { headers: Record<string, string>; refusal: QuotaAnswer | null } {
    const headers: Record<string, string> = {};
    let refusal: QuotaAnswer | null = null;
    for (const [n, quota] of this.#quotas.entries()) {
      const counted = quota.by === 'account' && apiKey === '' ? null : quota.unitsOf(request, params);
      if (!counted) continue;
      const name = [n, counted.counter ?? '', quota.by === 'account' ? apiKey : ''].join(' ');
      const usage = this.#add(quota, name, counted, nowMs);
      Object.assign(headers, quota.headers?.(usage));
      if (usage.isBlocked || usage.used > usage.most) refusal ??= quota.beyond(usage);
    }
    return { headers, refusal };
  }

  #add(
    quota: RequestQuota,
    name: string,
    { units, most = quota.most }: QuotaUnits,
    nowMs: number,
  ): QuotaUsage {
    const fresh: Counter = { startMs: -Infinity, counted: [], beyond: 0, blockedUntilMs: 0 };
    const counter = this.#counters.get(name) ?? fresh;
    this.#counters.set(name, counter);
    const startMs = windowStart(quota, counter, nowMs);
    if (startMs !== counter.startMs) {
      counter.counted = counter.counted.filter(({ atMs }) => atMs >= startMs);
      counter.startMs = startMs;
    }
    counter.counted.push({ atMs: nowMs, units });
    const used = counter.counted.reduce((sum, each) => sum + each.units, 0);
    if (used > most) counter.beyond++;
    if (quota.block && counter.beyond >= quota.block.after) {
      counter.beyond = 0;
      counter.blockedUntilMs = nowMs + quota.block.ms;
    }
    const isBlocked = nowMs < counter.blockedUntilMs;
    const windowEndMs = quota.begins === 'always' ? counter.counted[0].atMs : startMs;
    const untilMs = isBlocked ? counter.blockedUntilMs : windowEndMs + quota.windowMs;
    return { used, most, nowMs, untilMs, isBlocked };
  }
}

function windowStart({ begins, windowMs }: RequestQuota, { startMs }: Counter, nowMs: number): number {
  if (begins === 'clock') return Math.floor(nowMs / windowMs) * windowMs;
  if (begins === 'always') return nowMs - windowMs;
  return nowMs - startMs < windowMs ? startMs : nowMs;
}

/** The units of the first row that matches the method and path. */
export function unitsBy<Units>(
  rows: readonly (readonly [RegExp, Units])[],
  { method, path }: ReceivedRequest,
): Units | undefined {
  return rows.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1];
}
