import Joi from 'joi';
import { intervals } from '../../compute/model/interval.js';
import { trendStates } from '../../compute/model/core-line.js';

/** Fields that answers are described with; each of them is always there. */

export const figure = (description?: string) => described(Joi.number(), description);
export const figureOrNull = (description?: string) => figure(description).allow(null);
export const count = (description?: string) => described(Joi.number().integer().min(0), description);
export const text = (description?: string) => described(Joi.string(), description);
export const date = (description?: string) => described(Joi.string().isoDate(), description);
export const stateField = (description?: string) =>
  described(Joi.string().valid(...trendStates), description);
/** A time as chart libraries take it. */
export const seconds = () => count('seconds since 1970, UTC');

export const flag = (description?: string) => described(Joi.boolean(), description);
export const intervalField = () => described(Joi.string().valid(...intervals), 'length of a candle');
export const list = (item: Joi.Schema, description?: string) =>
  described(Joi.array().items(item.optional()), description);

function described<Schema extends Joi.Schema>(schema: Schema, description: string | undefined): Schema {
  const required = schema.required();
  return (description === undefined ? required : required.description(description)) as Schema;
}
