import Joi from 'joi';
import { intervals } from '../../compute/model/interval.js';
import { trendStates } from '../../compute/model/core-line.js';

/** Joi schemas for the fields of answers. Every field is required and has a description; its type follows from the schema. */

/** The schema of values of this type; `allow(null)` adds null to the type. */
export type Shown<T, S extends Joi.AnySchema = Joi.AnySchema> = {
  readonly shown: T;
  allow(value: null, empty?: ''): Shown<T | null, S>;
  allow(value: ''): Shown<T, S>;
} & S;

type ShownFields = Readonly<Record<string, Joi.Schema>>;

/** The type of the values of a schema. */
export type ValueOf<S> = S extends { readonly shown: infer T }
  ? T
  : S extends Joi.AnySchema<infer T>
    ? T
    : never;

/** The type of an object with these fields. */
export type Answered<F extends ShownFields> = { -readonly [K in keyof F]: ValueOf<F[K]> };

export const figure = (description: string) => described<number>(Joi.number(), description);
export const figureOrNull = (description: string) => figure(description).allow(null);
export const count = (description: string) => described<number>(Joi.number().integer().min(0), description);
export const text = (description: string) => described<string, Joi.StringSchema>(Joi.string(), description);
export const decimal = (description: string) => text(`${description}, a decimal`);
export const date = (description: string) => described<string>(Joi.string().isoDate(), description);
export const flag = (description: string) => described<boolean>(Joi.boolean(), description);
export const oneOf = <const V extends string>(words: readonly V[], description: string) =>
  described<V>(Joi.string().valid(...words), description);
export const stateField = (description: string) => oneOf(trendStates, description);
export const intervalOutput = () => oneOf(intervals, 'length of a candle');
/** A time in whole seconds, as chart libraries expect it. */
export const seconds = (description: string) => count(`${description}, in seconds since 1970, UTC`);

export const list = <S extends Joi.Schema>(item: S, description: string) =>
  described<ValueOf<S>[]>(Joi.array().items(item.optional()), description);
/** A nested object with all its fields. */
export const objectField = <const F extends ShownFields>(fields: F, description: string) =>
  described<Answered<F>>(Joi.object(fields), description);
/** An answer with all its fields. */
export const answerOf = <const F extends ShownFields>(fields: F) => Joi.object<Answered<F>>(fields);

/** A value in an answer: times are ISO 8601. */
type Told<T> = T extends Date ? string : T;

/** The fields of an answer that a value has under the same names. Those that it lacks are said beside them. */
export function shownOf<F extends object, From extends object>(fields: F, from: From) {
  const shown = Object.keys(fields).map((name) => {
    const value = (from as Record<string, unknown>)[name];
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(shown) as { [Name in keyof F & keyof From]: Told<From[Name]> };
}

/** An object with these members of another alone, in this order. */
export function picked<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> {
  const shown: Partial<From> = {};
  for (const name of names) shown[name] = from[name];
  return shown as Pick<From, Name>;
}

const described = <T, S extends Joi.AnySchema = Joi.AnySchema>(schema: S, description: string) =>
  schema.required().description(description) as Shown<T, S>;
