/**
 * Hierarchical clustering by average linkage (UPGMA): the two groups with the highest mean similarity between their
 * members are merged while that mean is at least `threshold`. Returns the indexes of each group, ascending, groups in
 * the order of their first index. `similarity` is symmetric and is not changed. Sokal and Michener, 1958.
 */
export function averageLinkage(similarity: readonly (readonly number[])[], threshold: number): number[][] {
  const groups = similarity.map((_, i) => [i]);
  const between = similarity.map((row) => [...row]);
  for (;;) {
    const [first, second] = mostAlike(between);
    if (second < 0 || between[first][second] < threshold) break;
    const [a, b] = [groups[first].length, groups[second].length];
    for (let k = 0; k < groups.length; k++) {
      const joined = (a * between[first][k] + b * between[second][k]) / (a + b);
      between[first][k] = between[k][first] = joined;
    }
    groups[first] = [...groups[first], ...groups[second]].sort((x, y) => x - y);
    groups.splice(second, 1);
    between.splice(second, 1);
    for (const row of between) row.splice(second, 1);
  }
  return groups;
}

/** The two rows with the highest value, on a tie the first two; the second is -1 if fewer than two rows are left. */
function mostAlike(between: readonly (readonly number[])[]): [first: number, second: number] {
  let best: [number, number] = [0, -1];
  let highest = -Infinity;
  for (let i = 0; i < between.length; i++)
    for (let j = i + 1; j < between.length; j++)
      if (between[i][j] > highest) {
        highest = between[i][j];
        best = [i, j];
      }
  return best;
}
