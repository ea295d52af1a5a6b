import { onceFor } from './once.js';
import type { ObjectSchema, ValidationOptions } from 'joi';

/**
 * Makes schemas that validate with these options, each once. Joi checks and merges options that `validate` is called with at every
 * call, which takes longer than a few fields do.
 */
export const preparedSchemas = (options: ValidationOptions) =>
  onceFor((schema: ObjectSchema<unknown>) => schema.prefs(options)) as <T>(
    schema: ObjectSchema<T>,
  ) => ObjectSchema<T>;
