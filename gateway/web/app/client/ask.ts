import { signal as stateOf } from '@preact/signals';
import { readEvents } from './read-events.js';
import type { RouteInput, RouteName, RoutePayload } from './routes.js';

/** What the service, or the way to it, said instead of an answer. */
export class AskError extends Error {
  /** 0: nothing was answered. */
  readonly status: number;
  readonly requestId: string | null = null;
  /** The field that is wrong, as the service names it. */
  readonly field: string | null = null;
  readonly retryAfterSeconds: number | null = null;

  constructor(status: number, message: string, more: Partial<AskError> = {}) {
    super(message);
    this.status = status;
    Object.assign(this, more);
  }
}

/** Resolved once it is known whose browser this is: what is sent before could be taken for another site's. */
let tellKnown: () => void;
const known = new Promise<void>((resolve) => (tellKnown = resolve));
let csrf: string | null = null;

/** Keeps what `GET session` gave this browser, so that what it sends counts as its own; null for visitors. */
export function keepCsrf(token: string | null): void {
  csrf = token;
  tellKnown();
}

let renewSession: () => Promise<boolean>;

/** Takes what asks anew whose browser this is, and answers whether it is still the same user's. */
export const renewSessionBy = (renew: () => Promise<boolean>): void => void (renewSession = renew);

/** Whether the service no longer knows the session of this browser. */
export const isUnauthorized = stateOf(false);

export interface AskOptions {
  signal?: AbortSignal | undefined;
  /** Hears of the work while it goes on; then the route answers with events. */
  onEvent?: ((name: string, data: unknown) => void) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

/** The envelope of an answer, or of the error that comes in its place. */
interface Envelope {
  payload?: { message?: string; requestId?: string; field?: string };
  error?: { message?: string; field?: string };
}

/** Asks the service, as every other client does. Throws `AskError`, and `AbortError` where the signal ends it. */
export async function ask<R extends RouteName>(
  route: R,
  input: RouteInput<R>,
  options: AskOptions = {},
): Promise<RoutePayload<R>> {
  try {
    return (await answerTo(route, input, options)) as RoutePayload<R>;
  } catch (error) {
    if (error instanceof AskError || options.signal?.aborted) throw error;
    throw new AskError(0, 'The service did not answer: this browser may be offline');
  }
}

async function answerTo(
  route: string,
  input: Record<string, unknown>,
  options: AskOptions,
): Promise<unknown> {
  const { signal, onEvent, headers: more } = options;
  const [method, pattern] = route.split(' ');
  const rest = { ...input };
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  const isRead = method === 'GET' || method === 'DELETE';
  if (method !== 'GET') await known;
  const headers: Record<string, string> = {
    accept: onEvent ? 'text/event-stream, application/json;q=0.9' : 'application/json',
    ...(method === 'GET' || csrf === null ? {} : { 'csrf-token': csrf }),
    ...(isRead ? {} : { 'content-type': 'application/json' }),
    ...more,
  };
  const sentCsrf = csrf;
  const response = await fetch(isRead ? path + queryOf(rest) : path, {
    method,
    headers,
    signal: signal ?? null,
    body: isRead ? null : JSON.stringify(rest),
  });
  if (onEvent && response.headers.get('content-type')?.startsWith('text/event-stream'))
    return lastOf(response, onEvent);
  const body = (await response.json().catch(() => ({}))) as Envelope;
  // Refused for a session before this one of the same user: it was not done, and is sent again. For the same session it is refused.
  const isStale = response.status === 403 && body.payload?.message?.includes('"csrf-token"');
  const mayGoOn = isStale ? await renewSession() : response.status === 401;
  if (mayGoOn && csrf !== sentCsrf) return answerTo(route, input, options);
  if (!response.ok) throw refusal(response.status, body, response.headers.get('retry-after'));
  if (body.payload === undefined)
    throw new AskError(0, 'The answer is not of this service: a network may ask you to sign in first');
  return body.payload;
}

function queryOf(fields: Record<string, unknown>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

async function lastOf(response: Response, onEvent: (name: string, data: unknown) => void): Promise<unknown> {
  for await (const { name, data } of readEvents(response)) {
    if (name === 'result') return (data as { body: Envelope }).body.payload;
    if (name === 'error') {
      const { status, body } = data as { status: number; body: Envelope };
      throw refusal(status, body, null);
    }
    onEvent(name, data);
  }
  throw new AskError(0, 'The connection ended before the answer was there');
}

function refusal(status: number, { payload, error }: Envelope, retryAfter: string | null): AskError {
  if (status === 401) isUnauthorized.value = true;
  const { message = `The service answered with status ${status}`, field = null } = payload ?? error ?? {};
  const retryAfterSeconds = retryAfter === null ? null : Number(retryAfter);
  return new AskError(status, message, { requestId: payload?.requestId ?? null, field, retryAfterSeconds });
}
