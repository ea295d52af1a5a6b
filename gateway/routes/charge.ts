import type { ParameterizedContext } from 'koa';
import { AppError } from '../../compute/model/errors.js';
import type { RateBucket } from '../../storage/users/limit-keys.js';
import type { SignedIn } from '../../storage/users/signed-in-directory.js';
import type { Deps, RequestState } from '../context.js';
import { readBrowserKey } from '../web/site/browser-key.js';
import { rateKeysOf, readerKeysOf, unpricedKeysOf, visitorKeysOf } from '../limits/rate-keys.js';
import type { RateKey, RateLimits, RateState } from '../limits/rate-limits.js';

type Context = ParameterizedContext<RequestState>;

/** Points that are being charged. */
export interface Charge {
  /** Rejects with `rate_limited` if there are too few. */
  paid: Promise<void>;
  /** Whether light work may run meanwhile, because the points are probably there. */
  mayRunAhead: boolean;
}

/**
 * Runs work after its points have been charged. Light work runs while they are charged if they are probably there, and its
 * result is dropped if they are not. Throws `rate_limited`, and what the work throws.
 */
export async function runCharged<T>(
  { paid, mayRunAhead }: Charge,
  isLight: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!isLight || !mayRunAhead) {
    await paid;
    return work();
  }
  const [charge, result] = await Promise.allSettled([paid, work()]);
  if (charge.status === 'rejected') throw charge.reason;
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/**
 * Charges points as `chargeCaller` does, but what pages read counts for each browser: by the key that a visitor's browser was
 * given with the application, and by the session of a browser that its cookie has signed in.
 */
export function chargeBrowser(
  ctx: Context,
  deps: Pick<Deps, 'limits' | 'settings' | 'usage'>,
  { user, paid, csrf }: { user: SignedIn | null; paid: number; csrf?: string },
  cost: number,
): Charge {
  const { network } = ctx.state;
  if (user) {
    const keys = csrf === undefined ? null : readerKeysOf(user, cost);
    if (!keys) return chargeCaller(ctx, deps, user, cost, paid);
    countUse(ctx, deps.usage, user, cost);
    return charge(ctx, deps.limits, keys, cost);
  }
  const browser = readBrowserKey(ctx, deps.settings);
  const keys = browser === null ? null : visitorKeysOf(network, browser, cost);
  return keys
    ? charge(ctx, deps.limits, keys, Math.max(1, cost) - paid)
    : chargeCaller(ctx, deps, user, cost, paid);
}

/**
 * Charges points to the user, or to the address of a caller without a session, and sets the RateLimit headers. `paid`: points
 * that the address has paid for this request already.
 */
export function chargeCaller(
  ctx: Context,
  { limits, usage }: Pick<Deps, 'limits' | 'usage'>,
  user: SignedIn | null,
  cost: number,
  paid: number,
): Charge {
  if (!user) return chargeAddress(ctx, { limits }, 'guest', Math.max(1, cost) - paid);
  const { network } = ctx.state;
  const charged =
    cost === 0
      ? chargeUnpriced(limits, unpricedKeysOf(user))
      : charge(ctx, limits, rateKeysOf(user, network), cost);
  const count = () => countUse(ctx, usage, user, cost);
  if (charged === free) {
    count();
    return charged;
  }
  return { ...charged, paid: charged.paid.then(count) };
}

/** Adds a request of a user, once, and its points to the user's usage of the day. */
export function countUse(
  { state }: Context,
  usage: Deps['usage'],
  { userId }: Pick<SignedIn, 'userId'>,
  points: number,
): void {
  usage.record(userId, { requests: state.isCounted ? 0 : 1, points });
  state.isCounted = true;
}

/** Charges the address a point for looking up a session, and answers how to give it back. Throws `rate_limited`. */
export async function chargeLookup(ctx: Context, { limits }: Pick<Deps, 'limits'>): Promise<() => void> {
  await chargeAddress(ctx, { limits }, 'guest', 1).paid;
  return () => limits.refund({ bucket: 'guest', key: ctx.state.network }, 1);
}

/** Charges points to the address and sets the RateLimit headers. */
export const chargeAddress = (
  ctx: Context,
  { limits }: Pick<Deps, 'limits'>,
  bucket: RateBucket,
  cost: number,
): Charge => charge(ctx, limits, [{ bucket, key: ctx.state.network }], cost);

/** Charges points to a bucket that the clients of one key share, and sets the RateLimit headers. */
export const chargeShared = (
  ctx: Context,
  { limits }: Pick<Deps, 'limits'>,
  bucket: RateBucket,
  key: string,
  cost: number,
): Promise<void> => charge(ctx, limits, [{ bucket, key }], cost).paid;

/** Charges a point to a partner, whichever of its keys is used, and sets the RateLimit headers. */
export const chargePartner = (
  ctx: Context,
  deps: Pick<Deps, 'limits'>,
  bucket: 'signals' | 'commands',
  partnerId: string,
): Promise<void> => chargeShared(ctx, deps, bucket, partnerId, 1);

/**
 * Counts a request that costs no points against a limit of its own, because otherwise a client could send any number of them.
 * The RateLimit headers show points only.
 */
export function chargeUnpriced(limits: RateLimits, keys: readonly RateKey[]): Charge {
  if (keys.length === 1 && limits.spendKnown(keys[0], 1)) return free;
  const mayRunAhead = limits.mayRunAhead(keys, 1);
  return { paid: limits.consume(keys, 1).then(() => undefined), mayRunAhead };
}

/** Nothing is left to pay. */
const free: Charge = { paid: Promise.resolve(), mayRunAhead: false };

function charge(ctx: Context, limits: RateLimits, keys: readonly RateKey[], cost: number): Charge {
  if (cost === 0) return free;
  const known = keys.length === 1 ? limits.spendKnown(keys[0], cost) : null;
  if (known) {
    setHeaders(ctx, known.limit, known.remaining, known.resetSeconds);
    return free;
  }
  const mayRunAhead = limits.mayRunAhead(keys, cost);
  const spent = limits.consume(keys, cost);
  return { paid: report(ctx, spent), mayRunAhead };
}

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
