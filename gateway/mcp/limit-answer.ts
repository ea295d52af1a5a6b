import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { RequestState } from '../context.js';
import { failedAnswer } from './answers/failed-answer.js';
import type { McpAccess } from './exchange.js';
import type { McpMessages } from './messages.js';

type Context = ParameterizedContext<RequestState>;

/** Longer bodies are not read for a guest without points. */
const mostFreeBytes = 64 * 1024;

const isLimit = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'rate_limited';

/** The error for a guest without points whose body is short enough to look whether it asks for lists only. Throws every other error. */
export function keptLimit(ctx: Context, { user }: McpAccess, error: unknown): AppError {
  const length = Number(ctx.get('Content-Length') || Infinity);
  if (!isLimit(error) || user || ctx.method !== 'POST' || length > mostFreeBytes) throw error;
  return error;
}

/**
 * Answers a call for which there are too few points: a failed call with the id of its request and the seconds to wait, because
 * many clients take a status of 429 for a broken connection. False for errors and requests of another kind.
 */
export function answerLimit(ctx: Context, error: unknown, messages: McpMessages | null): boolean {
  const [tool] = messages?.called ?? [];
  const { id } = (messages?.body ?? {}) as { id?: unknown };
  if (!isLimit(error) || !tool || !(typeof id === 'string' || typeof id === 'number')) return false;
  ctx.set('Retry-After', String(error.details.retryAfterSeconds));
  ctx.set('Cache-Control', 'no-store');
  ctx.body = { jsonrpc: '2.0', id, result: failedAnswer(error, tool.listing.name) };
  return true;
}
