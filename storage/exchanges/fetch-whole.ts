import { AppError } from '../../compute/model/errors.js';

/** An exchange's HTTP answer, as far as it decides when the next request may be sent. */
export interface ExchangeAnswer {
  status: number;
  /** The Date header in ms; null if it is missing. */
  dateMs: number | null;
  /** The Retry-After header in ms from now; null if it is missing. */
  retryAfterMs: number | null;
  headers: Headers;
  /** Decodes the body. */
  body: () => string;
}

export interface FetchWholeOptions {
  /** The longest time from the first byte sent to the last byte read. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called when a request goes out, after its address and headers were found to be valid. */
  onSent?: () => void;
  /** Called with each answer before it is returned; what it throws replaces the answer. */
  afterAnswer: (answer: ExchangeAnswer) => Promise<void>;
}

/**
 * A `fetch` with one time limit for the answer and its body; the limit of ccxt ends with the first byte. Throws
 * `exchange_refused` with reason "key" for a request that cannot be sent, such as one with a line break in a header.
 */
export const fetchWhole =
  ({ timeoutMs, signal, onSent, afterAnswer }: FetchWholeOptions) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const request = readyRequest(url, init);
    onSent?.();
    const answer = await fetch(request, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { status, statusText, headers } = answer;
    const bytes = await answer.arrayBuffer();
    await afterAnswer({
      status,
      dateMs: readDate(headers.get('date')),
      retryAfterMs: readRetryAfter(headers.get('retry-after')),
      headers,
      body: () => Buffer.from(bytes).toString('utf8'),
    });
    return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers });
  };

/** The request, with everything checked that fetch checks before it sends. The error does not repeat a header. */
function readyRequest(url: string, { method, headers, body }: RequestInit): Request {
  try {
    return new Request(url, {
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
    });
  } catch {
    const message = 'the request cannot be sent: the key holds characters that HTTP does not allow';
    throw new AppError('exchange_refused', message, { details: { reason: 'key' } });
  }
}

const readDate = (text: string | null): number | null => {
  const timeMs = Date.parse(text ?? '');
  return Number.isNaN(timeMs) ? null : timeMs;
};

/** Retry-After is a number of seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(text: string | null): number | null {
  if (text !== null && /^\d+(\.\d+)?$/.test(text.trim())) return Number(text) * 1000;
  const timeMs = readDate(text);
  return timeMs === null ? null : Math.max(0, timeMs - Date.now());
}
