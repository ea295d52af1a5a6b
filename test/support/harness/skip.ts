import Mocha, { type Context, type Runnable, type Suite, type Test } from 'mocha';

const reasons = new WeakMap<Runnable | Suite, string>();

/**
 * Skips a test, or from a `before` all tests of its suite. The reason says what is missing, and what would make it run; the
 * summary of a run lists it.
 */
export function skip(context: Context, reason: string): never {
  const runnable = context.runnable();
  reasons.set(runnable instanceof Mocha.Hook ? runnable.parent! : runnable, reason);
  return context.skip();
}

/** Why a test was skipped. */
export function skipReasonOf(test: Test): string {
  let place: Test | Suite | undefined = test;
  while (place && !reasons.has(place)) place = place.parent;
  return place ? reasons.get(place)! : 'it does not say why: tests are skipped by skip(this, reason)';
}

/** The reason of a test whose program could not be fetched. */
export const notFetched = (name: string, needs: string, error: unknown): string =>
  `${name} can't be fetched (${String(error).split('\n')[0]}): it needs ${needs}`;
