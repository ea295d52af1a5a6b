import type { ParameterizedContext } from 'koa';

/**
 * A signal that is aborted, with the reason that `reason` makes, when the client disconnects before its answer is sent. A
 * client that has disconnected before aborts it at once; a client that has its answer never does.
 */
export function whileConnected(
  { res }: Pick<ParameterizedContext, 'res'>,
  reason?: () => Error,
): AbortSignal {
  if (res.closed && !res.writableFinished) return AbortSignal.abort(reason?.());
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(reason?.());
  });
  return controller.signal;
}
