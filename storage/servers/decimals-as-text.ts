import { Decimal } from '../../compute/model/decimal.js';

/** A value with each `Decimal` as text, as it is stored and sent. */
export type DecimalsAsText<T> = T extends Decimal
  ? string
  : T extends readonly (infer Each)[]
    ? DecimalsAsText<Each>[]
    : T extends object
      ? { -readonly [Key in keyof T]: DecimalsAsText<T[Key]> }
      : T;

/** The names of fields that hold decimals, at any depth. */
export type DecimalFields<T> = T extends Decimal
  ? never
  : T extends readonly (infer Each)[]
    ? DecimalFields<Each>
    : T extends object
      ? {
          [Key in keyof T & string]: (Decimal extends T[Key] ? Key : never) | DecimalFields<T[Key]>;
        }[keyof T & string]
      : never;

/** The value with each decimal as its shortest text. */
export function encodeDecimals<T>(value: T): DecimalsAsText<T> {
  return mapFields(value, (each) =>
    each instanceof Decimal ? each.toString() : undefined,
  ) as DecimalsAsText<T>;
}

/** The value with each text in a field that holds decimals as `Decimal`. */
export function decodeDecimals<T>(json: DecimalsAsText<T>, isDecimal: (field: string) => boolean): T {
  return mapFields(json, (each, field) =>
    typeof each === 'string' && isDecimal(field) ? Decimal.read(each) : undefined,
  ) as T;
}

/** The value with what `replace` answers in place of each part for which it answers something. */
function mapFields(value: unknown, replace: (value: unknown, field: string) => unknown, field = ''): unknown {
  const replaced = replace(value, field);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return value.map((each) => mapFields(each, replace, field));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapFields(each, replace, name)]),
  );
}
