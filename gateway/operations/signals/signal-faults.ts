import Joi from 'joi';
import { fieldError } from '../../../compute/model/errors.js';

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

/** Joi's own message for a pattern repeats the value. */
const messages = { 'string.pattern.name': Joi.expression('{{#label}} must be {{#name}}') as string };

/** All faults of the fields of an object, and its value with defaults where there are none. */
export function checkFields<T>(
  schema: Joi.ObjectSchema<T>,
  given: object,
): { value: T; faults: SignalFault[] } {
  const { value, error } = schema.validate(given, { abortEarly: false, convert: false, messages }) as {
    value: T;
    error?: Joi.ValidationError;
  };
  return { value, faults: (error?.details ?? []).map(faultOf) };
}

function faultOf({ path, type, message, context }: Joi.ValidationErrorItem): SignalFault {
  const field = path.join('.').slice(0, 60);
  const isMissing = type === 'any.required';
  const isSilent = isMissing || type === 'object.unknown';
  const shown = message.length > 200 ? `${message.slice(0, 200)}…` : message;
  return {
    field,
    kind: isMissing ? 'missing' : 'content',
    message: isSilent ? shown : `${shown}, found ${shortText(context?.value)}`,
  };
}

/** A value for an error message. */
export function shortText(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Throws `invalid_input` for the first fault; one that is missing goes before one that is wrong. */
export function throwFaults(faults: readonly SignalFault[]): void {
  const [fault] = [...faults].sort((one, other) => Number(isMissing(other)) - Number(isMissing(one)));
  if (!fault) return;
  const { field, message } = fault;
  throw fieldError(field, message, 'invalid_input', { missing: isMissing(fault) });
}

const isMissing = ({ kind }: SignalFault): boolean => kind === 'missing';
