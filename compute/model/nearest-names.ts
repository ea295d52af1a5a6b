/**
 * The known names that a name may mean: those that are equal except for upper and lower case. If there are none, at most
 * three that differ in less than a third of the letters (in one letter, for short names), the nearest first. A name that begins
 * with a digit has none.
 */
export function nearestNames(name: string, known: readonly string[]): string[] {
  if (known.includes(name)) return [name];
  const wanted = name.toLowerCase();
  const same = known.filter((each) => each.toLowerCase() === wanted);
  // A length of time with another unit or another number is no misspelling.
  if (same.length > 0 || /^\d/.test(name)) return same;
  const most = Math.max(1, Math.ceil(name.length / 3) - 1);
  return known
    .filter((each) => Math.abs(each.length - name.length) <= most)
    .map((each) => ({ each, steps: editSteps(wanted, each.toLowerCase()) }))
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps || (a.each < b.each ? -1 : 1))
    .slice(0, 3)
    .map(({ each }) => each);
}

/** The end of an error message, such as `; did you mean "BTC"?`; empty without names. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; did you mean ${names.map((each) => `"${each}"`).join(' or ')}?`;

/**
 * The least number of steps that turn one word into the other. A step inserts, deletes or changes a letter, or swaps two
 * neighbouring letters.
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
