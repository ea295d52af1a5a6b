import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiSecret } from '../../storage/users/api-secrets.js';

/** Allowed difference between the clocks of client and service. */
const toleranceMs = 300_000;

/** Whether a Unix time in seconds (10 digits) or milliseconds (13 digits) is at most 5 minutes away. */
function isRecent(timestamp: string, nowMs: number): boolean {
  const aheadMs = aheadOf(timestamp, nowMs);
  return aheadMs !== null && Math.abs(aheadMs) <= toleranceMs;
}

/**
 * What is wrong with the clock of the client that sent x-timestamp; null if it is right, or if the header is no Unix time. The text
 * reveals no secret: it depends only on the header and on the clock of the service, which every answer shows in `Date`.
 */
export function clockFault(timestamp: unknown, nowMs: number): string | null {
  const aheadMs = typeof timestamp === 'string' ? aheadOf(timestamp, nowMs) : null;
  if (aheadMs === null || Math.abs(aheadMs) <= toleranceMs) return null;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000).toLocaleString('en-US');
  const side = aheadMs < 0 ? 'behind' : 'ahead of';
  return `x-timestamp is ${seconds} s ${side} the server; at most ${toleranceMs / 1_000} s are accepted`;
}

/** How far a timestamp is ahead of the clock, in ms; negative if it is behind; null for text that is no Unix time. */
function aheadOf(timestamp: string, nowMs: number): number | null {
  if (/^\d{13}$/.test(timestamp)) return Number(timestamp) - nowMs;
  if (!/^\d{10}$/.test(timestamp)) return null;
  // Compared in whole seconds, because the client's timestamp is rounded down, too.
  return (Number(timestamp) - Math.floor(nowMs / 1_000)) * 1_000;
}

/** The signed parts of a request, and its headers. */
export interface SignedRequest {
  method: string;
  /** Path and query as received: unsorted, undecoded. */
  target: string;
  /** The bytes on the wire, before any decompression. */
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** A request whose key selects no secret is compared with this random one, so that it takes as long as any other. */
const decoySecret = randomBytes(32).toString('hex');

/**
 * Whether the request has a valid signature: x-signature is the HMAC-SHA256 over x-timestamp, method, target and body, with
 * the secret that svc-api-key selects, or with any secret if that header is missing. A signed request can be replayed while
 * its timestamp is valid. Operations at /v3/ai only read; a signal that is sent again is the same one only by its
 * idempotency-key, which is not signed.
 */
export function verifySignature(
  request: SignedRequest,
  secrets: readonly ApiSecret[],
  nowMs: number,
): boolean {
  const { 'x-signature': signature, 'x-timestamp': timestamp, 'svc-api-key': key } = request.headers;
  // Node joins repeated headers with a comma, which matches none of the patterns.
  const [, hex] = /^(?:v1=|sha256=)?([0-9a-f]{64})$/.exec(String(signature)) ?? [];
  if (hex === undefined || typeof timestamp !== 'string' || !isRecent(timestamp, nowMs)) return false;
  const given = Buffer.from(hex, 'hex');
  const selected = secrets.filter((each) => key === undefined || each.key === key);
  const candidates = selected.length > 0 ? selected.map(({ secret }) => secret) : [decoySecret];
  // All candidates are compared, so that the time reveals nothing.
  return candidates.map((secret) => timingSafeEqual(given, sign(request, timestamp, secret))).includes(true);
}

function sign({ method, target, body }: SignedRequest, timestamp: string, secret: string): Buffer {
  // Node decodes the bytes of a target as Latin-1.
  return createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n`)
    .update(target, 'latin1')
    .update('\n')
    .update(body)
    .digest();
}
