import type { ParameterizedContext } from 'koa';
import { clientName } from '../../storage/users/client-name.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { Caller, RequestState } from '../context.js';

type Context = ParameterizedContext<RequestState>;

/**
 * The caller of an operation, as the request describes it. `waits` is called when the operation begins to wait for a job.
 *
 * A class, because its getters then belong to all callers. V8 keeps a getter of an object literal in memory until the next full
 * garbage collection, with all that it uses: here the whole request and its answer.
 */
export class RequestCaller implements Caller {
  readonly requestId: string;
  readonly user: SignedIn | null;
  readonly address: string;
  readonly timings: Caller['timings'] = {};
  scopes?: NonNullable<Caller['scopes']>;
  csrf?: string;
  charge?: NonNullable<Caller['charge']>;
  onProgress?: NonNullable<Caller['onProgress']>;
  onEvent?: NonNullable<Caller['onEvent']>;
  readonly #ctx: Context;
  readonly #waits: () => void;
  #signal: AbortSignal | undefined;

  constructor(ctx: Context, user: SignedIn | null, waits: () => void) {
    this.requestId = ctx.state.requestId;
    this.user = user;
    this.address = ctx.state.address;
    this.#ctx = ctx;
    this.#waits = waits;
  }

  get client(): string {
    return clientName(this.#ctx.req.headers['user-agent']);
  }

  /** Made on first use: most operations answer at once and never need it. */
  get signal(): AbortSignal {
    this.#waits();
    return (this.#signal ??= whileConnected(this.#ctx));
  }
}

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
