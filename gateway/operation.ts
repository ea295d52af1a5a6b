import Joi from 'joi';
import { AppError, type ErrorCode } from '../compute/model/errors.js';
import type { Caller, Deps } from './context.js';

/** Plain data that answers a question, and how long it stays true. */
export interface Answered<Output> {
  payload: Output;
  /** Whole seconds until the answer may change; absent where it may change at any time. */
  ttl?: number;
  /** Identifies the content, where the same content may be asked for again. */
  etag?: string;
}

/** Who may ask: anybody, a signed-in user, or one who runs the service. */
export type Scope = 'public' | 'user' | 'operator';

/** The question that comes next: of which operation, and where its fields are found, as in `payload/dead/0/id`. */
export interface Lead {
  to: string;
  fields: Readonly<Record<string, `payload/${string}` | `input/${string}`>>;
}

/** One question the service answers, whatever the surface on which it is asked. */
export interface Operation<Input, Output> {
  id: string;
  /** What it answers, in a sentence. */
  summary: string;
  scope: Scope;
  /** Points it takes off the caller's rate limit. */
  cost: number;
  /** Only reads, and costs no more than the counting of its point: it goes on while that is counted. */
  isLight?: true;
  /** Its answers carry an ETag: with GET the same content need not be sent again. */
  hasEtag?: true;
  input: Joi.ObjectSchema<Input>;
  /** The shape of the payload, for those who read the documentation. */
  output: Joi.ObjectSchema<Output>;
  /** Errors of its own, besides those that any question may end with. */
  errors?: readonly ErrorCode[];
  /** Questions that its answer leads to. */
  leadsTo?: readonly Lead[];
  handle(input: Input, deps: Deps, caller: Caller): Promise<Answered<Output>>;
}

export const defineOperation = <Input, Output>(
  operation: Operation<Input, Output>,
): Operation<Input, Output> => operation;

/** Fields whose value is never repeated in an answer. */
const secretFields = new Set(
  'apiKey apiSecret currentPassword idToken newPassword nonce passphrase password'.split(' '),
);

/** Joi's own words for a pattern repeat the value. Compiled here, or it would be anew for each question. */
const messages = { 'string.pattern.name': Joi.expression('{{#label}} must be {{#name}}') as string };

/**
 * The input with defaults in place. Nothing is converted, so that a number in quotes is not a number, unless all that was
 * given is text, as in a query.
 * Throws `invalid_input` with the first fault, `details.field` naming the field it lies in.
 */
export function readInput<Input>(schema: Joi.ObjectSchema<Input>, given: object, convert = false): Input {
  const checked = schema.validate(given, { convert, messages });
  if (!checked.error) {
    // Joi passes over a key of this name.
    if (Object.hasOwn(given, '__proto__')) throw invalid('"__proto__" is not allowed', '__proto__', true);
    return checked.value;
  }
  const [{ message, path, type, context }] = checked.error.details;
  const field = path.length > 0 ? String(path[0]) : undefined;
  const silent =
    ['any.required', 'object.unknown', 'params.refused'].includes(type) || secretFields.has(field ?? '');
  const found = silent ? '' : `, found ${abridge(context?.value)}`;
  // Joi has another name for a field without one.
  const told = path.at(-1) === '' ? message.replace(/^"[^"]*"/, '""') : message;
  throw invalid(`${shorten(told)}${found}`, field, type === 'object.unknown' && path.length === 1);
}

const invalid = (message: string, field: string | undefined, unknown: boolean) =>
  new AppError('invalid_input', message, { details: { unknown, ...(field === undefined ? {} : { field }) } });

/** A value in few words. What holds others is only named: it may be deeper than JSON.stringify can go. */
function abridge(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? shorten(JSON.stringify(value)) : String(value);
}

const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
