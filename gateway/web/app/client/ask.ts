import { AskError } from './ask-error.js';
import { csrfHeader, noteUnauthorized } from './csrf.js';
import { readEvents } from './read-events.js';
import type { RouteInput, RouteName, RoutePayload } from './routes.js';

export interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Hears of the work while it goes on; then the route answers with events. */
  onEvent?: ((name: string, data: unknown) => void) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

interface Answered {
  payload: unknown;
}

interface Refused {
  payload?: { message?: string; requestId?: string; field?: string };
  error?: { message?: string; field?: string };
}

/** Asks the service, as every other client does. Throws `AskError`, and `AbortError` where the signal ends it. */
export async function ask<R extends RouteName>(
  route: R,
  input: RouteInput<R>,
  { signal, onEvent, headers }: AskOptions = {},
): Promise<RoutePayload<R>> {
  const response = await send(route, input, signal, onEvent !== undefined, headers);
  if (onEvent && response.headers.get('content-type')?.startsWith('text/event-stream'))
    return (await lastOf(response, onEvent)) as RoutePayload<R>;
  const body = (await response.json().catch(() => ({}))) as Answered & Refused;
  if (!response.ok) throw refusal(response.status, body, response.headers.get('retry-after'));
  return body.payload as RoutePayload<R>;
}

async function send(
  route: string,
  input: Record<string, unknown>,
  signal: AbortSignal | undefined,
  takesEvents: boolean,
  more: AskOptions['headers'],
): Promise<Response> {
  const [method, pattern] = route.split(' ');
  const rest = { ...input };
  let path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const isRead = method === 'GET' || method === 'DELETE';
  if (isRead) path += queryOf(rest);
  const headers: Record<string, string> = {
    accept: takesEvents ? 'text/event-stream, application/json;q=0.9' : 'application/json',
    ...(method === 'GET' ? {} : await csrfHeader()),
    ...(isRead ? {} : { 'content-type': 'application/json' }),
    ...more,
  };
  const init = { method, headers, signal: signal ?? null, ...(isRead ? {} : { body: JSON.stringify(rest) }) };
  return fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new AskError(0, 'The service did not answer: this browser may be offline');
  });
}

function queryOf(fields: Record<string, unknown>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

async function lastOf(response: Response, onEvent: (name: string, data: unknown) => void): Promise<unknown> {
  for await (const { name, data } of readEvents(response)) {
    if (name === 'result') return (data as { body: Answered }).body.payload;
    if (name === 'error') {
      const { status, body } = data as { status: number; body: Refused };
      throw refusal(status, body, null);
    }
    onEvent(name, data);
  }
  throw new AskError(0, 'The connection ended before the answer was there');
}

function refusal(status: number, { payload, error }: Refused, retryAfter: string | null): AskError {
  if (status === 401) noteUnauthorized();
  const { message = `The service answered with status ${status}`, field = null } = payload ?? error ?? {};
  const retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  return new AskError(status, message, { requestId: payload?.requestId ?? null, field, retryAfterSeconds });
}
