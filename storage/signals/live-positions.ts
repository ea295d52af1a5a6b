import { AppError } from '../../compute/model/errors.js';
import { paperName } from '../exchanges/exchange-names.js';
import type { Storage } from '../index.js';

/**
 * Throws `positions_open` while a signal of the user is executed on a real exchange: what it has bought there would stay without
 * its stops if the user were removed. `advice` says what to do.
 */
export async function requireNoLivePositions(
  userId: string,
  { executionReads }: Pick<Storage, 'executionReads'>,
  advice: string,
): Promise<void> {
  const live = (await executionReads.openOf(userId)).filter(({ exchange }) => exchange !== paperName);
  if (live.length === 0) return;
  const places = [...new Set(live.map(({ exchange }) => exchange))].join(', ');
  const message = `signals that are still executed on ${places}: ${live.length}; ${advice}`;
  throw new AppError('positions_open', message, { details: { count: live.length } });
}
