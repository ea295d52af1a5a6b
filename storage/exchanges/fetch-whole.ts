/** The parts of an exchange's HTTP answer that decide when the next request may be sent. */
export interface ExchangeAnswer {
  status: number;
  /** The Date header in ms; null if it is missing. */
  dateMs: number | null;
  /** The Retry-After header in ms from now; null if it is missing. */
  retryAfterMs: number | null;
}

export interface FetchWholeOptions {
  /** The longest time from the first byte sent to the last byte read. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Called with each answer before it is returned; what it throws replaces the answer. */
  afterAnswer: (answer: ExchangeAnswer) => Promise<void>;
}

/** A `fetch` with one time limit for the answer and its body; the limit of ccxt ends with the first byte. */
export const fetchWhole =
  ({ timeoutMs, signal, afterAnswer }: FetchWholeOptions) =>
  async (url: string, { method, headers, body }: RequestInit): Promise<Response> => {
    const answer = await fetch(url, {
      ...(method === undefined ? {} : { method }),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const { status, statusText } = answer;
    const bytes = await answer.arrayBuffer();
    await afterAnswer({
      status,
      dateMs: readDate(answer.headers.get('date')),
      retryAfterMs: readRetryAfter(answer.headers.get('retry-after')),
    });
    const hasBody = bytes.byteLength > 0;
    return new Response(hasBody ? bytes : null, { status, statusText, headers: answer.headers });
  };

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
