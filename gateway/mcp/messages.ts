import { AppError } from '../../compute/model/errors.js';
import type { Tool } from './tool.js';
import { toolNamed } from './tools.js';

/** The messages of one request body, as far as access and limits need to know them. */
export interface McpMessages {
  /** The body for the SDK: one message or a batch of them. */
  body: unknown;
  /** The known tools that are called. */
  called: readonly Tool[];
  /** The ids of requests that the client cancels. */
  cancelled: readonly (string | number)[];
  isInitialize: boolean;
  /** Whether a call asks to be told its progress. */
  wantsProgress: boolean;
}

/** Messages of one batch; revisions since 2025-06-18 have no batches. */
const mostMessages = 20;

interface Message {
  method?: unknown;
  params?: { name?: unknown; requestId?: unknown; _meta?: { progressToken?: unknown } | null };
}

/** What the body calls for. Its form is checked by the SDK; only batches without bound are refused here, as `invalid_input`. */
export function readMessages(body: unknown): McpMessages {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  if (all.length > mostMessages) {
    throw new AppError('invalid_input', `a batch has at most ${mostMessages} messages, found ${all.length}`);
  }
  const messages = all.filter(isMessage);
  const of = (method: string) => messages.filter((message) => message.method === method);
  return {
    body,
    called: of('tools/call').flatMap(({ params }) =>
      typeof params?.name === 'string' ? (toolNamed(params.name) ?? []) : [],
    ),
    cancelled: of('notifications/cancelled').flatMap(({ params }) => {
      const id = params?.requestId;
      return typeof id === 'string' || typeof id === 'number' ? [id] : [];
    }),
    isInitialize: of('initialize').length > 0,
    wantsProgress: messages.some(({ params }) => params?._meta?.progressToken !== undefined),
  };
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { params } = value as { params?: unknown };
  return params === undefined || (typeof params === 'object' && params !== null);
}
