import { STATUS_CODES } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
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

/** What ccxt sends. */
interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Loaded with the first request. It takes a third of the processor time of `fetch`: a signal for 200 accounts is 400 requests. */
async function loadRequest() {
  const { Agent, request } = await import('undici');
  // Not the agent of the process, which is of the version of Node.
  const dispatcher = new Agent();
  return (url: string, options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>) =>
    request(url, { ...options, dispatcher });
}

let loaded: ReturnType<typeof loadRequest> | undefined;

/**
 * A `fetch` with one time limit for the answer and its body; the limit of ccxt ends with the first byte. Throws
 * `exchange_refused` with reason "key" for a request that cannot be sent, such as one with a line break in a header, and
 * `exchange_unavailable` for a reading with `hasContent` whose answer is empty or no JSON.
 */
export const fetchWhole =
  ({ timeoutMs, signal, hasContent = false, onSent, afterAnswer, ...content }: FetchWholeOptions) =>
  async (url: string, { method = 'GET', headers: given, body }: Sending): Promise<Response> => {
    const request = await (loaded ??= loadRequest());
    const sent = readyHeaders(url, given);
    onSent?.();
    const send = (ending: AbortSignal) =>
      request(url, { method, headers: sent, body: body ?? null, signal: ending });
    const { status, headers, bytes } = await readWithin(send, timeoutMs, signal);
    await afterAnswer({
      status,
      dateMs: readDate(headers.get('date')),
      retryAfterMs: readRetryAfter(headers.get('retry-after')),
      headers,
      body: () => bytes.toString('utf8'),
    });
    if (hasContent && method === 'GET' && status < 400 && !isContent(bytes, content))
      throw new AppError(
        'exchange_unavailable',
        'the answer cannot be read: it is not what the exchange sends',
      );
    const statusText = STATUS_CODES[status] ?? '';
    return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers });
  };

/** The answer with its body, or the end of the wait for it. Fails as `fetch` does, by whose error ccxt knows that there was no answer. */
async function readWithin(
  send: (ending: AbortSignal) => Promise<Dispatcher.ResponseData>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  const late = new DOMException('no answer in time', 'TimeoutError');
  const timer = setTimeout(() => ending.abort(late), timeoutMs);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    const { statusCode: status, headers: received, body } = await send(ending.signal);
    const packed = Buffer.from(await body.arrayBuffer());
    const fields = Object.entries(received).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    );
    const headers = new Headers(fields);
    if ((status >= 300 && headers.has('location')) || status > 599) throw new Error(`status ${status}`);
    return { status, headers, bytes: await unpacked(packed, headers.get('content-encoding')) };
  } catch (error) {
    ending.signal.throwIfAborted();
    throw new TypeError('fetch failed', { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

const encodings: Readonly<Record<string, (packed: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
};

async function unpacked(packed: Buffer, encoding: string | null): Promise<Buffer> {
  if (encoding === null || packed.length === 0) return packed;
  const unpack = encodings[encoding];
  if (!unpack) throw new Error(`its content-encoding is ${encoding}`);
  return unpack(packed);
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

/** The headers to send, once everything is checked that is checked before a request goes out. The error does not repeat a header. */
function readyHeaders(url: string, given: Sending['headers']): Record<string, string> {
  try {
    void new URL(url);
    const own = Object.fromEntries(new Headers(given));
    return {
      accept: '*/*',
      'user-agent': 'node',
      ...own,
      'accept-encoding': Object.keys(encodings).join(', '),
    };
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
