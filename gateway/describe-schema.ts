import type Joi from 'joi';

const descriptions = new WeakMap<object, Joi.Description>();

/** Joi's description of a schema. Joi takes milliseconds for one, and the same schemas are described for several purposes. */
export function describeSchema(schema: Joi.Schema): Joi.Description {
  const known = descriptions.get(schema);
  if (known) return known;
  const description = schema.describe();
  descriptions.set(schema, description);
  return description;
}
