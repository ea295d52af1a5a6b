import { field, type Values } from '../../../compute/model/field.js';
import { mostBacktests } from '../../../storage/backtests/backtests.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Deps } from '../../context.js';

/** How many of something are used, and the limit. */
export const usedOf = (what: string, most: string) => ({
  used: field.count(what),
  limit: field.count(most),
});

export const usageFields = {
  points: field.object('points of requests in the current minute, this one included', {
    limit: field.count('points per minute'),
    used: field.count('points that are spent'),
    remaining: field.count('points that are left'),
    resetSeconds: field.count('seconds until all points are available again'),
  }),
  backtests: field.object(
    'stored backtests; the oldest makes room for a new one, and each is kept for 90 days',
    usedOf('backtests that are stored', 'most that are stored'),
  ),
};

/** What the user has used of the limits of points and of stored backtests. */
export async function usageOf(
  { userId, plan }: SignedIn,
  { storage, limits, backtestWriter }: Pick<Deps, 'storage' | 'limits' | 'backtestWriter'>,
): Promise<Values<typeof usageFields>> {
  await backtestWriter.settled(userId);
  const [points, stored] = await Promise.all([
    limits.read({ bucket: plan, key: userId }),
    storage.backtests.count(userId, 'builtIn'),
  ]);
  return {
    points: { ...points, used: points.limit - points.remaining },
    backtests: { used: stored, limit: mostBacktests },
  };
}
