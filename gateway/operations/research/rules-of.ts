import { AppError } from '../../../compute/model/errors.js';
import { researchDescription } from '../../../jobs/definitions/research-backtest.js';

/** A strategy as a request names it: rules, or the name of a template. */
export type GivenStrategy = Record<string, unknown> | string;

/** The rules that a request names. Throws `invalid_input` for a name that is unknown. */
export function rulesOf(given: GivenStrategy): Record<string, unknown> {
  if (typeof given !== 'string') return given;
  const template = researchDescription.templateNamed(given);
  if (template) return template;
  throw new AppError('invalid_input', `there is no strategy "${given}"`, { details: { field: 'strategy' } });
}
