import type { ParamSpec } from './indicator.js';

/** The units of numbers, and their words in documentation. */
export const unitWords = {
  percent: 'in percent: 5 means 5 %',
  points: 'in percentage points',
  rate: 'as a fraction: 0.05 means 5 %',
  quote: 'in quote currency',
  base: 'in units of the asset',
  candles: 'in candles',
  hours: 'in hours',
  days: 'in days',
  atr: 'in multiples of the ATR',
  r: 'in multiples of the risk',
} as const;

export type Unit = keyof typeof unitWords;

/** The sentence of a field, and the options of all kinds of fields. */
interface Described {
  text: string;
  isNullable?: boolean;
  /** The value of a field that a caller leaves out. A field without a default is required. */
  default?: unknown;
  /** A value for documentation and contract tests; every required field has one. */
  example?: unknown;
}

/** The range of a number: `min` and `max` are included, `above` and `below` are not. */
interface NumberRange {
  min?: number;
  max?: number;
  above?: number;
  below?: number;
  isWhole?: boolean;
  unit?: Unit;
}

/** The parameters of something with a name, such as a strategy, and which of their values go together. */
export interface NamedParams {
  params: Readonly<Record<string, ParamSpec>>;
  /** Whether the values go together; absent where all do. */
  allows?: (params: Readonly<Record<string, number>>) => boolean;
  /** What `allows` asks for, as the end of an error message. */
  allowed?: string;
}

/** The parameters by name, such as those of each strategy. */
export type ParamSpecsByName = Readonly<Record<string, NamedParams>>;

/** What a text names, so that every surface reads it as people write it. */
export type FieldMeaning = 'asset' | 'quote' | 'exchange';

type FieldKind =
  | ({ kind: 'number' } & NumberRange)
  /** A decimal number as text, exact in every digit. */
  | { kind: 'decimal'; unit?: Unit; isPositive?: boolean }
  | { kind: 'text'; maxLength?: number; pattern?: RegExp; patternName?: string; means?: FieldMeaning }
  /** A moment: ms since 1970 inside the service, ISO 8601 in answers; callers may write it in any form that `readTime` reads. */
  | { kind: 'time' }
  | { kind: 'flag' }
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'list'; item: AnyField; min?: number; max?: number; isUnique?: boolean }
  | { kind: 'object'; fields: Fields }
  /** An object whose keys are not known beforehand. */
  | { kind: 'record'; value: AnyField; min?: number; max?: number; keys?: FieldMeaning }
  /** The parameters that belong to the name in the neighbouring field `of`; `isGrid`: a list of values for each. */
  | { kind: 'params'; of: string; specs: ParamSpecsByName; isGrid?: boolean }
  | { kind: 'union'; of: readonly AnyField[] };

/** A field of an input or an answer: its kind, range and unit, a sentence, and the TypeScript type of its values. */
export type Field<T> = Described & FieldKind & { readonly valueType?: T };

export type AnyField = Field<unknown>;

export type Fields = Readonly<Record<string, AnyField>>;

/** The type of the values that a field describes. */
export type Value<F> = F extends { readonly valueType?: infer T } ? Exclude<T, undefined> : never;

export type Values<F extends Fields> = { -readonly [Name in keyof F]: Value<F[Name]> };

interface Options<T> {
  default?: T;
  example?: T;
}

type NumberOptions = NumberRange & Options<number>;

type TextOptions = Options<string> & {
  maxLength?: number;
  pattern?: RegExp;
  patternName?: string;
  means?: FieldMeaning;
};

type ListOptions<T> = Options<T[]> & { min?: number; max?: number; isUnique?: boolean };

/** Makes the fields of inputs and answers. The first argument is the sentence that documentation shows. */
export const field = {
  number: (text: string, options: NumberOptions = {}): Field<number> => ({
    kind: 'number',
    text,
    ...options,
  }),

  /** A whole number. */
  integer: (text: string, options: NumberOptions = {}): Field<number> => ({
    kind: 'number',
    text,
    isWhole: true,
    ...options,
  }),

  /** A whole number, 0 or more. */
  count: (text: string, options: NumberOptions = {}): Field<number> => ({
    kind: 'number',
    text,
    isWhole: true,
    min: 0,
    ...options,
  }),

  decimal: (
    text: string,
    options: Options<string> & { unit?: Unit; isPositive?: boolean } = {},
  ): Field<string> => ({
    kind: 'decimal',
    text,
    ...options,
  }),

  text: (text: string, options: TextOptions = {}): Field<string> => ({ kind: 'text', text, ...options }),

  time: (text: string, options: { example?: string } = {}): Field<number> => ({
    kind: 'time',
    text,
    ...options,
  }),

  flag: (text: string, options: Options<boolean> = {}): Field<boolean> => ({
    kind: 'flag',
    text,
    ...options,
  }),

  choice: <const V extends string>(
    text: string,
    values: readonly V[],
    options: Options<NoInfer<V>> = {},
  ): Field<V> => ({ kind: 'choice', text, values, ...options }),

  list: <T>(text: string, item: Field<T>, options: ListOptions<NoInfer<T>> = {}): Field<T[]> => ({
    kind: 'list',
    text,
    item,
    ...options,
  }),

  object: <const F extends Fields>(
    text: string,
    fields: F,
    options: Options<Values<NoInfer<F>>> = {},
  ): Field<Values<F>> => ({ kind: 'object', text, fields, ...options }),

  record: <T>(
    text: string,
    value: Field<T>,
    options: Options<Record<string, NoInfer<T>>> & { min?: number; max?: number; keys?: FieldMeaning } = {},
  ): Field<Record<string, T>> => ({ kind: 'record', text, value, ...options }),

  params: (text: string, of: string, specs: ParamSpecsByName): Field<Record<string, number>> => ({
    kind: 'params',
    text,
    of,
    specs,
  }),

  paramGrid: (
    text: string,
    of: string,
    specs: ParamSpecsByName,
    options: Options<Record<string, number[]>> = {},
  ): Field<Record<string, number[]>> => ({ kind: 'params', text, of, specs, isGrid: true, ...options }),

  union: <T>(text: string, ...of: Field<T>[]): Field<T> => ({ kind: 'union', text, of }),

  /** The same field, whose value may also be null. If a caller leaves it out, it is the default, or null without one. */
  nullable: <T>(of: Field<T>, options: Options<NoInfer<T> | null> = {}): Field<T | null> => ({
    ...of,
    isNullable: true,
    ...options,
  }),
};

/** The fields of a described object. */
export function fieldsOf(described: AnyField): Fields {
  if (described.kind !== 'object') throw new Error(`a field of kind "${described.kind}" has no fields`);
  return described.fields;
}
