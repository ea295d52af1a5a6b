import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { mapStorageError } from '../../storage/index.js';
import type { Log } from '../../storage/process/log.js';
import { traceFields } from '../../storage/process/tracing.js';
import type { RequestState } from '../context.js';
import { retryAfter, statusOf } from './envelope.js';
import { errorBody } from './error-form.js';

/** How a failed request is answered. */
export interface FailureAnswer {
  status: number;
  /** Null if a retry makes no sense. */
  retryAfterSeconds: number | null;
  /** What a page may say about it; null for a bug. */
  message: string | null;
  /** In the form of the API that the path belongs to. */
  body: object;
}

/** The answer to a request that failed with this error. Bugs are logged and not shown. */
export function failureAnswer(
  caught: unknown,
  { path, state }: Pick<ParameterizedContext<RequestState>, 'path' | 'state'>,
  log: Log,
): FailureAnswer {
  const named = mapStorageError(caught);
  const error =
    named instanceof AppError ? named : new AppError('unexpected', 'unexpected error', { cause: named });
  const ids = { traceId: state.requestId, ...traceFields(state.trace) };
  if (error.kind === 'bug') log.error({ ...ids, err: error }, 'request failed');
  return {
    status: statusOf(error),
    retryAfterSeconds: retryAfter(error),
    message: error.kind === 'bug' ? null : error.message,
    body: errorBody(path, error, state.requestId),
  };
}
