import type { AnyAnalysis } from '../../../compute/analyses.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';

/** Parameters for an analysis: the examples of its description, and the defaults of all others. */
export function sampleParams({ params }: AnyAnalysis): object {
  const required = Object.entries(params).filter(([, { example }]) => example !== undefined);
  const given = Object.fromEntries(required.map(([name, { example }]) => [name, example]));
  const { error, value } = objectSchema(params).validate(given, { convert: false });
  if (error) throw error;
  return value;
}
