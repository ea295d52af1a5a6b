/** A letter in capitals begins a word, a name in capitals throughout is one word. */
const snake = (name: string) =>
  /^[A-Z]+$/.test(name) ? name.toLowerCase() : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface TableLike {
  columns: string[];
  rows: unknown[][];
}

const isTable = (value: object): value is TableLike =>
  Array.isArray((value as Partial<TableLike>).columns) && Array.isArray((value as Partial<TableLike>).rows);

/** Every single value of an answer but null, by its place with names in snake_case; tables count as lists of objects. */
export function leavesOf(value: unknown, place = ''): Map<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object') return new Map([[place, value]]);
  const parts: [string, unknown][] = Array.isArray(value)
    ? value.map((each, n) => [`${place}[${n}]`, each])
    : isTable(value)
      ? value.rows.flatMap((row, n) =>
          value.columns.map((name, i): [string, unknown] => [`${place}[${n}].${name}`, row[i]]),
        )
      : Object.entries(value).map(([name, each]) => [`${place}.${snake(name)}`, each]);
  return new Map(parts.flatMap(([at, each]) => [...leavesOf(each, at)]));
}
