import type { ParameterizedContext } from 'koa';
import { fieldError } from '../../compute/model/errors.js';
import type { Deps, RequestState, Caller } from '../context.js';
import { clientName } from '../../storage/users/client-name.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';

/** The place of one request among those in hand. */
export interface InHandSlot {
  /** Runs work while it counts as a running request. Throws `gateway_busy` if too many run, and what the work throws. */
  hold: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives the place up before the work is done: from here on the request only waits for a job. */
  leave: () => void;
}

/** A place among the requests in hand for the network of the client; taken when its work begins. */
export function inHandSlot(
  ctx: ParameterizedContext<RequestState>,
  { inHand, scheduler }: Pick<Deps, 'inHand' | 'scheduler'>,
): InHandSlot {
  let end: () => void = () => undefined;
  return {
    async hold(work) {
      const { network } = ctx.state;
      // Bodies of requests and answers of MongoDB arrive at any time, not in the turn of their network.
      await scheduler.turnOf(network);
      end = inHand.begin(network);
      try {
        const result = await work();
        await scheduler.turnOf(network);
        return result;
      } finally {
        end();
      }
    },
    leave: () => end(),
  };
}

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

  get idempotencyKey(): string | null {
    const { 'idempotency-key': values } = this.#ctx.req.headersDistinct;
    if (values === undefined) return null;
    if (values.length === 1 && /^[\x21-\x7e]{1,200}$/.test(values[0])) return values[0];
    const message = 'the header "idempotency-key" must be 1 to 200 printable ASCII characters without spaces';
    throw fieldError('idempotency-key', message, 'invalid_input', { unknown: true });
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
