import { Binary } from 'mongodb';

/** Columns of numbers by name, all of the same length. */
export type Columns<Name extends string = string> = Record<Name, Float64Array>;

/** Packs columns into one binary: a line of JSON with their names and length, then the numbers. */
export function packColumns(columns: Columns): Binary {
  const names = Object.keys(columns);
  const head = Buffer.from(`${JSON.stringify({ names, length: columns[names[0]].length })}\n`);
  const bodies = names.map((name) => {
    const { buffer, byteOffset, byteLength } = columns[name];
    return Buffer.from(buffer, byteOffset, byteLength);
  });
  return new Binary(Buffer.concat([head, ...bodies]));
}

/** The columns in a binary made by `packColumns`. */
export function unpackColumns<Name extends string>({ buffer }: Binary): Columns<Name> {
  const body = buffer.indexOf(10) + 1;
  const { names, length } = JSON.parse(Buffer.from(buffer.subarray(0, body)).toString()) as {
    names: Name[];
    length: number;
  };
  const numbers = new Float64Array(Uint8Array.from(buffer.subarray(body)).buffer);
  return Object.fromEntries(
    names.map((name, index) => [name, numbers.subarray(index * length, (index + 1) * length)]),
  ) as Columns<Name>;
}
