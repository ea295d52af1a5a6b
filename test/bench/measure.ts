/** The value below which the given share of the (unsorted) values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** How long each of `times` calls takes in ms, after as many unmeasured ones as `warmup` says. */
export async function measure(
  times: number,
  warmup: number,
  call: (n: number) => unknown,
): Promise<number[]> {
  const durations: number[] = [];
  for (let n = -warmup; n < times; n++) {
    const started = performance.now();
    await call(n);
    if (n >= 0) durations.push(performance.now() - started);
  }
  return durations;
}

/** Prints rows under a title, the columns aligned. */
export function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  console.log(`\n${title}`);
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
        .join('  '),
    );
  }
}

export const ms = (value: number): string => `${value.toFixed(2)} ms`;
