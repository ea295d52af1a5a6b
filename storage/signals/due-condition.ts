import type { Collection, Filter } from 'mongodb';
import { dueNever } from './step-fault.js';

/** The condition of the indexes on rows that wait for work. A query uses such an index only if it repeats the condition. */
export const waitsForWork = { $gt: new Date(0) } as const;

/** The condition on `dueAt` for rows whose work is due. */
export const isDueBy = (nowMs: number) => ({ ...waitsForWork, $lte: new Date(nowMs) }) as const;

/** Rows whose work waits: how many are due, since when the oldest of them is, and how many are left to the operator. */
export interface DueBacklog {
  due: number;
  oldest: Date | null;
  failed: number;
}

/** Counts the rows of a collection whose work waits, by the index on `dueAt`. */
export async function dueBacklog<Row extends { _id: string; dueAt: Date | null }>(
  collection: Collection<Row>,
  nowMs: number,
): Promise<DueBacklog> {
  const isDue = { dueAt: isDueBy(nowMs) } as Filter<Row>;
  const [due, oldest, failed] = await Promise.all([
    collection.countDocuments(isDue),
    collection.find(isDue).sort({ dueAt: 1 }).limit(1).project<Pick<Row, 'dueAt'>>({ dueAt: 1 }).next(),
    collection.countDocuments({ dueAt: dueNever }),
  ]);
  return { due, oldest: oldest?.dueAt ?? null, failed };
}
