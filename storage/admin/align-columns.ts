/** The lines of a table whose columns stand below each other. */
export function alignColumns(table: readonly (readonly string[])[]): string[] {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
