import type { ParameterizedContext } from 'koa';

/** Aborted, with the reason that `reason` makes, when the client disconnects before its answer is sent, or has done so. */
export function whileConnected(
  { res }: Pick<ParameterizedContext, 'res'>,
  reason?: () => Error,
): AbortSignal {
  if (res.closed) return AbortSignal.abort(reason?.());
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(reason?.());
  });
  return controller.signal;
}
