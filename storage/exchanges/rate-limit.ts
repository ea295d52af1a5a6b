import type { ExchangeAnswer } from './fetch-whole.js';
import type { ExceededLimit } from './venue.js';
import { findVenue } from './venues/index.js';

/** A limit that an answer reports as exceeded. */
export interface RateLimit {
  scope: ExceededLimit['scope'];
  /** How long to send nothing within the scope. */
  pauseMs: number;
  reason: string;
}

/** The pause after "too many requests" and after "banned" (418) where the answer names none. */
const defaultPauseMs = 60_000;
const bannedPauseMs = 120_000;

/**
 * The limit that an answer of the exchange reports as exceeded; null if none. A venue knows which limits are counted by key.
 * Requests without a key, and those to exchanges that are no venue, are counted by address.
 */
export function readRateLimit(id: string, answer: ExchangeAnswer, isSigned: boolean): RateLimit | null {
  const { status, retryAfterMs } = answer;
  const isLimit = status === 429 || status === 418;
  const told: ExceededLimit | null =
    findVenue(id)?.readLimit(answer) ?? (isLimit ? { scope: 'address' } : null);
  if (!told) return null;
  const reason = status === 418 ? 'this address is banned (418)' : `too many requests (${status})`;
  const pauseMs = retryAfterMs ?? told.pauseMs ?? (status === 418 ? bannedPauseMs : defaultPauseMs);
  return { scope: isSigned ? told.scope : 'address', pauseMs, reason };
}
