import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import { networkOf } from '../../storage/users/client-network.js';
import type { RateBucket } from '../../storage/users/limit-keys.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { Deps, RequestState } from '../context.js';
import type { RateState } from '../limits/rate-limits.js';

type Context = ParameterizedContext<RequestState>;

/**
 * Runs work after its points have been charged. Light work runs while they are charged, and its result is dropped if there
 * are too few points. Throws `rate_limited`, and what the work throws.
 */
export async function runCharged<T>(
  charged: Promise<void>,
  isLight: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!isLight) {
    await charged;
    return work();
  }
  const [charge, result] = await Promise.allSettled([charged, work()]);
  if (charge.status === 'rejected') throw charge.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Charges points to the user, or to the address of a caller without a session, and sets the RateLimit headers. */
export const chargeCaller = (
  ctx: Context,
  { limits }: Pick<Deps, 'limits'>,
  user: SignedIn | null,
  cost: number,
): Promise<void> =>
  user
    ? report(ctx, limits.consume(user.plan, user.userId, cost))
    : chargeAddress(ctx, { limits }, 'guest', cost);

/** Charges points to the address and sets the RateLimit headers. */
export const chargeAddress = (
  ctx: Context,
  { limits }: Pick<Deps, 'limits'>,
  bucket: RateBucket,
  cost: number,
): Promise<void> => report(ctx, limits.consume(bucket, networkOf(ctx.state.address), cost));

/** Sets the RateLimit headers, whether the points were granted or refused. */
async function report(ctx: Context, consumed: Promise<RateState>): Promise<void> {
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
