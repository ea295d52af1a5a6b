/**
 * Calls `read` for one span of time after the other, none longer than `spanMs`, and answers all rows. Spans have their start and
 * end in ms since 1970; the last one ends at `untilMs`.
 */
export async function readSpans<Row>(
  { sinceMs, untilMs, spanMs }: { sinceMs: number; untilMs: number; spanMs: number },
  read: (fromMs: number, toMs: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let fromMs = sinceMs; fromMs <= untilMs; fromMs += spanMs)
    rows.push(...(await read(fromMs, Math.min(untilMs, fromMs + spanMs - 1))));
  return rows;
}
