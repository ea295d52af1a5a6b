import type { BacktestPage, RunKind, StoredBacktest } from '../../../storage/backtests/backtests.js';
import type { Caller, Deps } from '../../context.js';
import { readCursor, writeCursor } from '../page-cursor.js';

/** A place in the order of backtests: time and id. */
const backtestPlace = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z [0-9a-f]{64}$/;

/** A page of the caller's stored runs of a kind, the newest first, and the cursor of the next. Throws `invalid_input` for the cursor. */
export async function storedPage<Kind extends RunKind>(
  kind: Kind,
  { limit, cursor }: { limit: number; cursor: string | null },
  { storage, backtestWriter }: Pick<Deps, 'storage' | 'backtestWriter'>,
  { user }: Pick<Caller, 'user'>,
): Promise<{ runs: StoredBacktest<Kind>[]; nextCursor: string | null }> {
  const { userId } = user!;
  await backtestWriter.settled(userId);
  const after = readCursor(cursor ?? undefined, backtestPlace);
  const page: BacktestPage<Kind> = await storage.backtests.list(userId, kind, {
    limit,
    ...(after === undefined ? {} : { after }),
  });
  return { runs: page.backtests, nextCursor: writeCursor(page.next) };
}
