import type { ParameterizedContext } from 'koa';
import { networkOf } from '../../storage/users/client-network.js';
import type { RateBucket } from '../../storage/users/limit-keys.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { Caller, Deps, RequestState } from '../context.js';
import type { RateState } from '../limits/rate-limits.js';
import { AppError } from '../../compute/model/errors.js';

type Context = ParameterizedContext<RequestState>;

/** Who asks with this request. */
export function callerOf(ctx: Context, user: SignedIn | null): Caller {
  let signal: AbortSignal | undefined;
  return {
    requestId: ctx.state.requestId,
    user,
    address: ctx.state.address,
    // Most questions are answered sooner than anybody could leave: they never ask for it.
    get signal() {
      return (signal ??= whileConnected(ctx));
    },
    timings: {},
  };
}

/** Aborted when the client goes, or has gone, before its answer is out. */
function whileConnected({ res }: Context): AbortSignal {
  if (res.closed) return AbortSignal.abort();
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Does the work once it is paid for. Light work goes on meanwhile, and is thrown away where the points are spent. */
export async function runCharged<T>(
  charged: Promise<void>,
  isLight: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!isLight) {
    await charged;
    return work();
  }
  const [paid, done] = await Promise.allSettled([charged, work()]);
  if (paid.status === 'rejected') throw paid.reason;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Takes points off the limit of the user, or of the address where nobody is signed in, and tells what is left. */
export const chargeCaller = (ctx: Context, { limits }: Deps, user: SignedIn | null, cost: number) =>
  user
    ? charge(ctx, limits.consume(user.plan, user.userId, cost))
    : chargeAddress(ctx, { limits }, 'guest', cost);

/** Takes points off the limit of the address. */
export const chargeAddress = (
  ctx: Context,
  { limits }: Pick<Deps, 'limits'>,
  bucket: RateBucket,
  cost: number,
) => charge(ctx, limits.consume(bucket, networkOf(ctx.state.address), cost));

/** Tells what is left of a limit in the answer's headers. */
async function charge(ctx: Context, consumed: Promise<RateState>): Promise<void> {
  try {
    const { limit, remaining, resetSeconds } = await consumed;
    setHeaders(ctx, limit, remaining, resetSeconds);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') {
      const { limit, remaining, retryAfterSeconds } = error.details;
      setHeaders(ctx, Number(limit), Number(remaining), Number(retryAfterSeconds));
    }
    throw error;
  }
}

function setHeaders(ctx: Context, limit: number, remaining: number, resetSeconds: number): void {
  ctx.set('RateLimit-Limit', String(limit));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(resetSeconds));
}
