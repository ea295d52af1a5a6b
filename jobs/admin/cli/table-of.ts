import type { CommandResult } from './define-command.js';

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

/** The result of a command that lists things as a table; `none`: what it says where there are none. */
export const listResult = (
  data: readonly unknown[],
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): CommandResult => ({ data, lines: data.length === 0 ? [none] : tableOf(titles, rows) });
