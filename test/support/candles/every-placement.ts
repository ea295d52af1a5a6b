/** All ways to lay trades of these holding times, in any order, into so many fills with at least one fill between two. */
export function everyPlacement(fills: number, held: readonly number[]): [number, number][][] {
  if (held.length === 0) return [[]];
  const orders = held.length === 1 ? [held] : permutations(held);
  return orders.flatMap((order) => place(fills, order, 0));
}

const permutations = (values: readonly number[]): number[][] =>
  values.length <= 1
    ? [[...values]]
    : values.flatMap((value, n) => permutations(values.toSpliced(n, 1)).map((rest) => [value, ...rest]));

function place(fills: number, [first, ...rest]: readonly number[], from: number): [number, number][][] {
  const placements: [number, number][][] = [];
  for (let entry = from; entry + first < fills; entry++) {
    const here: [number, number] = [entry, entry + first];
    if (rest.length === 0) placements.push([here]);
    else for (const later of place(fills, rest, entry + first + 1)) placements.push([here, ...later]);
  }
  return placements;
}
