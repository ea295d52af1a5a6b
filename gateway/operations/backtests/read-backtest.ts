import type { RunKind, StoredBacktest } from '../../../storage/backtests/backtests.js';
import type { Caller, Deps } from '../../context.js';
import { unknownBacktest } from './stored-backtest-fields.js';

/**
 * A stored backtest of the caller with its report, also one that this gateway has just answered and not yet written. Throws
 * `unknown_backtest`, also for the backtest of another user.
 */
export async function readBacktest<Report, Kind extends RunKind = 'builtIn'>(
  kind: Kind,
  id: string,
  { storage, backtestWriter }: Pick<Deps, 'storage' | 'backtestWriter'>,
  { user }: Pick<Caller, 'user'>,
): Promise<{ backtest: StoredBacktest<Kind>; report: Report }> {
  const { userId } = user!;
  await backtestWriter.settled(userId);
  const found = await storage.backtests.find(userId, kind, id);
  if (!found) throw unknownBacktest(id);
  return { backtest: found.backtest, report: JSON.parse(found.text) as Report };
}
