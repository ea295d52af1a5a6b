import type Joi from 'joi';
import { AppError } from '../compute/model/errors.js';
import type { Caller, Deps } from './context.js';

/** Plain data that answers a question, and how long it stays true. */
export interface Answered<Output> {
  payload: Output;
  /** Whole seconds until the answer may change; absent where it may change at any time. */
  ttl?: number;
  /** Identifies the content, where the same content may be asked for again. */
  etag?: string;
}

/** One question the service answers, whatever the surface on which it is asked. */
export interface Operation<Input, Output> {
  id: string;
  /** Who may ask: anybody, or a signed-in user. */
  scope: 'public' | 'user';
  input: Joi.ObjectSchema<Input>;
  handle(input: Input, deps: Deps, caller: Caller): Promise<Answered<Output>>;
}

export const defineOperation = <Input, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => operation;

/**
 * The input with defaults in place. Nothing is converted: a number in quotes is not a number.
 * Throws `invalid_input` with the first fault, `details.field` naming the field it lies in.
 */
export function readInput<Input>(schema: Joi.ObjectSchema<Input>, given: unknown): Input {
  const checked = schema.validate(given, { convert: false });
  if (!checked.error) return checked.value;
  const [{ message, path, type, context }] = checked.error.details;
  const missing = type === 'any.required';
  const found = missing || type === 'object.unknown' ? '' : `, found ${abridge(context?.value)}`;
  throw new AppError('invalid_input', `${message}${found}`, {
    details: {
      missing,
      unknown: type === 'object.unknown',
      ...(path.length > 0 ? { field: String(path[0]) } : {}),
    },
  });
}

function abridge(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
