/** The values in groups by key, each group in the order of the values. */
export function groupBy<Value>(all: readonly Value[], keyOf: (each: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group) group.push(each);
    else groups.set(keyOf(each), [each]);
  }
  return groups;
}
