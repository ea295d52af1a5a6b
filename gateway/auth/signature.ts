import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ApiSecret } from '../../storage/users/api-secrets.js';

/** What of a request is signed, and the headers that sign it. */
export interface SignedRequest {
  method: string;
  /** Path and query as received: unsorted, undecoded. */
  target: string;
  /** The bytes on the wire, before any decompression. */
  body: Buffer;
  headers: IncomingHttpHeaders;
}

/** How far the clocks of client and service may be apart. */
const toleranceMs = 300_000;

/** Never valid: what a request is compared with whose key selects no secret, so that it takes as long as any other. */
const nobodys = randomBytes(32).toString('hex');

/**
 * Whether the request carries a valid signature: x-signature is the HMAC-SHA256 over x-timestamp, method, target and body,
 * by the secret that svc-api-key selects, or by any without that header. A request may be sent again while its timestamp
 * holds: what is asked here changes nothing.
 */
export function verifySignature(
  request: SignedRequest,
  secrets: readonly ApiSecret[],
  nowMs: number,
): boolean {
  const { 'x-signature': signature, 'x-timestamp': timestamp, 'svc-api-key': key } = request.headers;
  // Node joins a header that was sent twice with a comma, which fits none of the patterns.
  const [, hex] = /^(?:v1=|sha256=)?([0-9a-f]{64})$/.exec(String(signature)) ?? [];
  if (hex === undefined || typeof timestamp !== 'string' || !isRecent(timestamp, nowMs)) return false;
  const given = Buffer.from(hex, 'hex');
  const selected = secrets.filter((each) => key === undefined || each.key === key);
  const candidates = selected.length > 0 ? selected.map(({ secret }) => secret) : [nobodys];
  // Every candidate is compared, the right one or not: the time tells nothing.
  return candidates.map((secret) => timingSafeEqual(given, sign(request, timestamp, secret))).includes(true);
}

function sign({ method, target, body }: SignedRequest, timestamp: string, secret: string): Buffer {
  // Node reads bytes of a target as Latin-1, whatever they are.
  return createHmac('sha256', secret)
    .update(`${timestamp}\n${method}\n`)
    .update(target, 'latin1')
    .update('\n')
    .update(body)
    .digest();
}

/** Whether a time in Unix seconds, or milliseconds where it has 13 digits, is at most 5 minutes away. */
function isRecent(timestamp: string, nowMs: number): boolean {
  if (/^\d{13}$/.test(timestamp)) return Math.abs(nowMs - Number(timestamp)) <= toleranceMs;
  if (!/^\d{10}$/.test(timestamp)) return false;
  // Whole seconds on both sides: a client's clock has lost its fraction, too.
  return Math.abs(Math.floor(nowMs / 1_000) - Number(timestamp)) <= toleranceMs / 1_000;
}
