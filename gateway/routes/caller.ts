import type { ParameterizedContext } from 'koa';
import { clientName } from '../../storage/users/client-name.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { Caller, RequestState } from '../context.js';
import { whileConnected } from './while-connected.js';

type Context = ParameterizedContext<RequestState>;

/** The caller of an operation, as the request describes it. `waits` is called when the operation begins to wait for a job. */
export function callerOf(ctx: Context, user: SignedIn | null, waits: () => void): Caller {
  let signal: AbortSignal | undefined;
  return {
    requestId: ctx.state.requestId,
    user,
    address: ctx.state.address,
    get client() {
      return clientName(ctx.req.headers['user-agent']);
    },
    // Made on first use: most operations answer at once and never need it.
    get signal() {
      waits();
      return (signal ??= whileConnected(ctx));
    },
    timings: {},
  };
}
