import { AppError } from '../../compute/model/errors.js';
import { paperName } from '../exchanges/exchange-names.js';
import type { Storage } from '../index.js';

const mostNamed = 10;

/**
 * Throws `positions_open` while a signal of the user is executed on a real exchange, or on the given one: what it has bought there
 * would stay without its stops if the user or the key were removed. `advice` says what to do.
 */
export async function requireNoLivePositions(
  userId: string,
  { executionReads }: Pick<Storage, 'executionReads'>,
  advice: string,
  on: string | null = null,
): Promise<void> {
  const live = (await executionReads.openOf(userId, { exchange: on })).filter(
    ({ exchange }) => exchange !== paperName,
  );
  if (live.length === 0) return;
  const places = [...new Set(live.map(({ exchange }) => exchange))].join(', ');
  const names = live.slice(0, mostNamed).map(({ pair, signalId }) => `${pair} (${signalId})`);
  const more = live.length > mostNamed ? ` and ${live.length - mostNamed} more` : '';
  const message = `signals that are still executed on ${places}: ${live.length}, ${names.join(', ')}${more}; ${advice}`;
  throw new AppError('positions_open', message, { details: { count: live.length } });
}
