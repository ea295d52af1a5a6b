/** The condition of the indexes on rows that wait for work. A query uses such an index only if it repeats the condition. */
export const waitsForWork = { $gt: new Date(0) } as const;

/** The condition on `dueAt` for rows whose work is due. */
export const isDueBy = (nowMs: number) => ({ ...waitsForWork, $lte: new Date(nowMs) }) as const;
