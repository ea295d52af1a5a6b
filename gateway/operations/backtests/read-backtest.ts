import type { StoredBacktest } from '../../../storage/backtests/backtests.js';
import type { Caller, Deps } from '../../context.js';
import { unknownBacktest } from './stored-backtest-fields.js';

/**
 * A stored backtest of the caller with its report, also one that this gateway has just answered and not yet written. Throws
 * `unknown_backtest`, also for the backtest of another user.
 */
export async function readBacktest<Report>(
  id: string,
  { storage, backtestWriter }: Pick<Deps, 'storage' | 'backtestWriter'>,
  { user }: Pick<Caller, 'user'>,
): Promise<{ backtest: StoredBacktest; report: Report }> {
  const { userId } = user!;
  await backtestWriter.settled(userId);
  const found = await storage.backtests.find(userId, id);
  if (!found) throw unknownBacktest(id);
  return { backtest: found.backtest, report: JSON.parse(found.text) as Report };
}
