import type Joi from 'joi';
import { fieldError } from '../../../compute/model/errors.js';
import { patternMessages, shorten, shortText } from '../../operation.js';

/** What is wrong with one field of a request about a signal. */
export interface SignalFault {
  field: string;
  /** `missing`: it is required; `content`: it is given and wrong. */
  kind: 'missing' | 'content';
  message: string;
}

export const missingField = (field: string, why = 'is required'): SignalFault => ({
  field,
  kind: 'missing',
  message: `"${field}" ${why}`,
});

export const wrongField = (field: string, why: string): SignalFault => ({
  field,
  kind: 'content',
  message: `"${field}" ${why}`,
});

/** All faults of the fields of an object, and its value with defaults where there are none. */
export function checkFields<T>(
  schema: Joi.ObjectSchema<T>,
  given: object,
): { value: T; faults: SignalFault[] } {
  const { value, error } = schema.validate(given, {
    abortEarly: false,
    convert: false,
    messages: patternMessages,
  }) as {
    value: T;
    error?: Joi.ValidationError;
  };
  return { value, faults: (error?.details ?? []).map(faultOf) };
}

function faultOf({ path, type, message, context }: Joi.ValidationErrorItem): SignalFault {
  const field = path.join('.').slice(0, 60);
  const isMissing = type === 'any.required';
  const isSilent = isMissing || type === 'object.unknown';
  const shown = shorten(message);
  return {
    field,
    kind: isMissing ? 'missing' : 'content',
    message: isSilent ? shown : `${shown}, found ${shortText(context?.value)}`,
  };
}

/** Throws `invalid_input` for the first fault; one that is missing goes before one that is wrong. */
export function throwFaults(faults: readonly SignalFault[]): void {
  const [fault] = [...faults].sort((one, other) => Number(isMissing(other)) - Number(isMissing(one)));
  if (!fault) return;
  const { field, message } = fault;
  throw fieldError(field, message, 'invalid_input', { missing: isMissing(fault) });
}

const isMissing = ({ kind }: SignalFault): boolean => kind === 'missing';
