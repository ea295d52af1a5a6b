import type { ObjectSchema, ValidationOptions } from 'joi';

/**
 * Makes schemas that validate with these options, each once. Joi checks and merges options that `validate` is called with at every
 * call, which takes longer than a few fields do.
 */
export function preparedSchemas(options: ValidationOptions): <T>(schema: ObjectSchema<T>) => ObjectSchema<T> {
  const prepared = new WeakMap<object, object>();
  return <T>(schema: ObjectSchema<T>) => {
    const known = prepared.get(schema) as ObjectSchema<T> | undefined;
    if (known) return known;
    const made = schema.prefs(options);
    prepared.set(schema, made);
    return made;
  };
}
