import Joi from 'joi';
import { intervals } from '../../compute/model/interval.js';
import { trendStates } from '../../compute/model/core-line.js';

/** Joi schemas for the fields of answers. Every field is required and has a description. */

export const figure = (description: string) => described(Joi.number(), description);
export const figureOrNull = (description: string) => figure(description).allow(null);
export const count = (description: string) => described(Joi.number().integer().min(0), description);
export const text = (description: string) => described(Joi.string(), description);
export const date = (description: string) => described(Joi.string().isoDate(), description);
export const flag = (description: string) => described(Joi.boolean(), description);
export const oneOf = (words: readonly string[], description: string) =>
  described(Joi.string().valid(...words), description);
export const stateField = (description: string) => oneOf(trendStates, description);
export const intervalOutput = () => oneOf(intervals, 'length of a candle');
/** A time in whole seconds, as chart libraries expect it. */
export const seconds = (description: string) => count(`${description}, in seconds since 1970, UTC`);

export const list = (item: Joi.Schema, description: string) =>
  described(Joi.array().items(item.optional()), description);
export const objectField = <Fields>(fields: Joi.StrictSchemaMap<Fields>, description: string) =>
  described(Joi.object<Fields, true>(fields), description);

const described = <Schema extends Joi.Schema>(schema: Schema, description: string): Schema =>
  schema.required().description(description) as Schema;
