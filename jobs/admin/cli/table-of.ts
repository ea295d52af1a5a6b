/** Rows as aligned lines under their titles. */
export function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const table = [titles, ...rows];
  const widths = titles.map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
