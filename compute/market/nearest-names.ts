/**
 * The known names that a name may mean: the name itself where it is known, else at most three that differ in less than a
 * third of its letters, the nearest first.
 */
export function nearestNames(name: string, known: readonly string[]): string[] {
  if (known.includes(name)) return [name];
  const most = Math.max(1, Math.ceil(name.length / 3) - 1);
  return known
    .map((each) => ({ each, steps: editSteps(name, each) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps || (a.each < b.each ? -1 : 1))
    .slice(0, 3)
    .map(({ each }) => each);
}

/**
 * The least number of letters to insert, delete, change or swap with the next one that turn one word into the other.
 * Optimal string alignment: Damerau, CACM 7, 1964.
 */
export function editSteps(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = rows[i - 1][j - 1] + Number(from[i - 1] !== to[j - 1]);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = swapped ? rows[i - 2][j - 2] + 1 : Infinity;
      row.push(Math.min(change, swap, rows[i - 1][j] + 1, row[j - 1] + 1));
    }
    rows.push(row);
  }
  return rows[from.length][to.length];
}
