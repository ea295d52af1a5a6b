import { AppError } from '../../compute/model/errors.js';
import { isBacktestTable } from './resources/backtest-tables.js';
import type { Tool } from './tool.js';
import { toolNamed } from './tools.js';

/** The messages of one request body, as far as access and limits need to know them. */
export interface McpMessages {
  /** The body for the SDK: one message or a batch of them. */
  body: unknown;
  called: readonly Tool[];
  /** How many tables of stored backtests are read. */
  tables: number;
  /** The ids of requests that the client cancels. */
  cancelled: readonly (string | number)[];
  isInitialize: boolean;
  /** Whether the messages only greet and list, which is not refused for lack of points. */
  isFree: boolean;
  /** Whether messages may come before the answer: progress that a call asks for, or messages of a tool that is not in `tools.ts`. */
  needsStream: boolean;
}

const freeMethods = new Set([
  'initialize',
  'notifications/initialized',
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/** Messages of one batch; revisions since 2025-06-18 have no batches. */
const mostMessages = 20;

interface Message {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: { progressToken?: unknown } | null };
}

/**
 * Reads what the body calls. The SDK checks its form. Throws `invalid_input` only for a batch that is too long or that the
 * SDK would never finish answering.
 */
export function readMessages(body: unknown): McpMessages {
  const all: unknown[] = Array.isArray(body) ? body : [body];
  if (all.length > mostMessages) {
    throw new AppError('invalid_input', `a batch has at most ${mostMessages} messages, found ${all.length}`);
  }
  const messages = all.filter(isMessage);
  const of = (method: string) => messages.filter((message) => message.method === method);
  const cancelled = of('notifications/cancelled').flatMap(({ params }) => {
    const id = params?.requestId;
    return typeof id === 'string' || typeof id === 'number' ? [id] : [];
  });
  checkIds(messages, cancelled);
  const calls = of('tools/call');
  const called = calls.flatMap(({ params }) =>
    typeof params?.name === 'string' ? (toolNamed(params.name) ?? []) : [],
  );
  const wantsProgress = messages.some(({ params }) => params?._meta?.progressToken !== undefined);
  return {
    body,
    called,
    tables: of('resources/read').filter(({ params }) => isBacktestTable(params?.uri)).length,
    cancelled,
    isInitialize: of('initialize').length > 0,
    isFree: messages.length > 0 && messages.every(({ method }) => freeMethods.has(String(method))),
    needsStream: wantsProgress || called.length < calls.length,
  };
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  const { params } = value as { params?: unknown };
  return params === undefined || (typeof params === 'object' && params !== null);
}

/** Throws if two requests of a batch have one id, or if a batch cancels its own request: the SDK never answers those. */
function checkIds(messages: readonly Message[], cancelled: readonly unknown[]): void {
  const ids = messages
    .filter(({ id, method }) => id !== undefined && method !== undefined)
    .map(({ id }) => id);
  const unique = new Set(ids);
  if (unique.size < ids.length)
    throw new AppError('invalid_input', 'each request of a batch needs its own id');
  const own = cancelled.find((id) => unique.has(id));
  if (own === undefined) return;
  throw new AppError(
    'invalid_input',
    `the batch cancels its own request ${JSON.stringify(own).slice(0, 60)}`,
  );
}
