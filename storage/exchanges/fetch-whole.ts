import { AppError } from '../../compute/model/errors.js';
import { exchangeRefused } from './venue-answers.js';

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
  /** Whether the answer to a reading is known to be JSON with something in it. Default: false. */
  hasContent?: boolean;
  /** The field that every such answer has. */
  contentField?: string | undefined;
  /** Up to how many bytes such an answer is parsed here; of longer ones only the ends are looked at. Default: 200. */
  parsedBytes?: number;
  /** Called when a request goes out, after its address and headers were found to be valid. */
  onSent?: () => void;
  /** Called with each answer before it is returned; what it throws replaces the answer. */
  afterAnswer: (answer: ExchangeAnswer) => Promise<void>;
}

/**
 * A `fetch` with one time limit for the answer and its body; the limit of ccxt ends with the first byte. Throws
 * `exchange_refused` with reason "key" for a request that cannot be sent, such as one with a line break in a header, and
 * `exchange_unavailable` for a reading with `hasContent` whose answer is empty or no JSON.
 */
export const fetchWhole =
  ({ timeoutMs, signal, hasContent = false, onSent, afterAnswer, ...content }: FetchWholeOptions) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const request = readyRequest(url, init);
    onSent?.();
    const { answer, bytes } = await readWithin(request, timeoutMs, signal);
    const { status, statusText, headers } = answer;
    await afterAnswer({
      status,
      dateMs: readDate(headers.get('date')),
      retryAfterMs: readRetryAfter(headers.get('retry-after')),
      headers,
      body: () => bytes.toString('utf8'),
    });
    if (hasContent && request.method === 'GET' && status < 400 && !isContent(bytes, content))
      throw new AppError(
        'exchange_unavailable',
        'the answer cannot be read: it is not what the exchange sends',
      );
    return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers });
  };

/**
 * The answer with its body, or the end of the wait for it. That is not left to the signal of `fetch`: between it and a request are links that
 * the garbage collector may take, and then a body that stops is awaited for ever (github.com/nodejs/node/issues/55428 and 57736).
 */
async function readWithin(request: Request, timeoutMs: number, signal: AbortSignal) {
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  const timer = setTimeout(
    () => ending.abort(new DOMException('no answer in time', 'TimeoutError')),
    timeoutMs,
  );
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error));
  });
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    const answer = await Promise.race([fetch(request, { signal: ending.signal }), ended]);
    reader = answer.body?.getReader();
    const pieces: Uint8Array[] = [];
    const read = () => reader && Promise.race([reader.read(), ended]);
    for (let next = await read(); next && !next.done; next = await read()) pieces.push(next.value);
    return { answer, bytes: Buffer.concat(pieces) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    await reader?.cancel().catch(() => undefined);
  }
}

/**
 * Whether the answer to a reading is a whole JSON list or object with something in it. ccxt reads a page, a part of an answer and an
 * empty object as lists without rows, which would say that the user has nothing.
 */
function isContent(
  bytes: Buffer,
  { contentField, parsedBytes = 200 }: Pick<FetchWholeOptions, 'contentField' | 'parsedBytes'>,
): boolean {
  const ends =
    /^\s*[[{]/.test(bytes.toString('latin1', 0, 20)) &&
    /[\]}]\s*$/.test(bytes.toString('latin1', Math.max(0, bytes.length - 20)));
  if (!ends || bytes.length > parsedBytes) return ends;
  try {
    const whole = JSON.parse(bytes.toString('utf8')) as Payload;
    if (contentField !== undefined && !(contentField in whole)) return false;
    // An error of Bybit has an empty result.
    return ![whole, whole.data, whole.retCode ? null : whole.result].some(isBlank);
  } catch {
    return false;
  }
}

interface Payload {
  data?: unknown;
  result?: unknown;
  retCode?: number;
}

/** Whether it is an object without fields. */
const isBlank = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

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
    throw exchangeRefused(message, 'key');
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
