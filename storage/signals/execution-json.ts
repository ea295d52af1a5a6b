import { Decimal } from '../../compute/model/decimal.js';
import type { Execution } from '../../compute/signals/execution.js';

/** A value with each `Decimal` as text, as it is stored and sent. */
export type DecimalsAsText<T> = T extends Decimal
  ? string
  : T extends readonly (infer Each)[]
    ? DecimalsAsText<Each>[]
    : T extends object
      ? { -readonly [Key in keyof T]: DecimalsAsText<T[Key]> }
      : T;

/** The state of an execution as it is stored. */
export type ExecutionJson = DecimalsAsText<Execution>;

/** The names of fields that hold decimals, at any depth. */
type DecimalFields<T> = T extends Decimal
  ? never
  : T extends readonly (infer Each)[]
    ? DecimalFields<Each>
    : T extends object
      ? {
          [Key in keyof T & string]: (Decimal extends T[Key] ? Key : never) | DecimalFields<T[Key]>;
        }[keyof T & string]
      : never;

/** Every field of an execution that holds a decimal. A field that is missing here does not compile. */
const decimalFields: Record<DecimalFields<Execution>, true> = {
  amount: true,
  best: true,
  distance: true,
  entered: true,
  entryValue: true,
  exitValue: true,
  exited: true,
  filled: true,
  filledAtEnd: true,
  funding: true,
  invested: true,
  lastPrice: true,
  limit: true,
  maxInvested: true,
  minNotional: true,
  minQuantity: true,
  percent: true,
  price: true,
  quantity: true,
  quoteFees: true,
  stepSize: true,
  stopPrice: true,
  tickSize: true,
  trigger: true,
  zoneEnd: true,
};

export const encodeExecution = (execution: Execution): ExecutionJson => encodeDecimals(execution);

export const decodeExecution = (json: ExecutionJson): Execution =>
  decodeDecimals<Execution>(json, (field) => Object.hasOwn(decimalFields, field));

/** The value with each decimal as its shortest text. */
function encodeDecimals<T>(value: T): DecimalsAsText<T> {
  return mapFields(value, (each) =>
    each instanceof Decimal ? each.toString() : undefined,
  ) as DecimalsAsText<T>;
}

/** The value with each text in a field that holds decimals as `Decimal`. */
function decodeDecimals<T>(json: DecimalsAsText<T>, isDecimal: (field: string) => boolean): T {
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
