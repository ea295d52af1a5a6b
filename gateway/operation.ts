import Joi from 'joi';
import { AppError, type ErrorCode } from '../compute/model/errors.js';
import type { Caller, Deps } from './context.js';
import type { TokenScope } from '../storage/users/token-scopes.js';
import { preparedSchemas } from '../storage/process/prepared-schemas.js';
import { nearestInput } from './nearest-input.js';

/** The result of an operation: plain data, and how long it may be cached. */
export interface OperationResult<Output> {
  payload: Output;
  /** The payload as JSON with its figures rounded, where a thread has made it, so that the gateway need not parse it. */
  text?: string | undefined;
  /** Identifies what was computed: results of equal input with equal ids have equal payloads. Absent where that is not known. */
  resultId?: string | undefined;
  /** Whole seconds until the payload may change; absent if it may change at any time. */
  ttl?: number;
  /** Identifies the content, so that a client need not download it twice. */
  etag?: string;
}

/** Who may call: everyone, signed-in users, operators of the service, or partners by key. */
export type Scope = 'public' | 'user' | 'operator' | 'partner';

/** An operation that can be called next, and where in this one its input is found, as in `payload/dead/0/id`. */
export interface OperationLink {
  to: string;
  fields: Readonly<Record<string, `payload/${string}` | `input/${string}`>>;
}

/** One thing the service can do. It knows nothing of HTTP: routes (and other APIs) call it. */
export interface Operation<Input, Output> {
  id: string;
  /** What it does, in one sentence. */
  summary: string;
  scope: Scope;
  /** What a token of a user has to allow for it. Absent: only a session will do, unless it is public. */
  tokenScope?: TokenScope;
  /** Only for users whose e-mail is confirmed: an account that is not confirmed may be a stranger's work. */
  needsVerified?: true;
  /** Points it costs of the caller's rate limit. 0: a user may always call it; without a session it costs 1. */
  cost: number;
  /** It only reads, and takes no longer than charging its points: both run at the same time. */
  isLight?: true;
  /** It may take seconds, and reports its progress. */
  isLong?: true;
  hasEtag?: true;
  input: Joi.ObjectSchema<Input>;
  /** The shape of the payload, for the documentation and the contract tests. */
  output: Joi.ObjectSchema<Output>;
  /** Errors besides those of every operation. */
  errors?: readonly ErrorCode[];
  /** Operations that can be called next; links in OpenAPI. */
  leadsTo?: readonly OperationLink[];
  handle(input: Input, deps: Deps, caller: Caller): Promise<OperationResult<Output>>;
}

/** What an operation need not say: it is public, costs one point, and takes no input. */
export const usual = { scope: 'public', cost: 1 } as const;

type Usual = keyof typeof usual | 'input';

export type DefinedOperation<Input, Output> = Omit<Operation<Input, Output>, Usual> &
  Partial<Pick<Operation<Input, Output>, Usual>>;

export const defineOperation = <Input = object, Output = unknown>(
  operation: DefinedOperation<Input, Output>,
): Operation<Input, Output> => ({
  ...usual,
  ...operation,
  input: operation.input ?? Joi.object<Input>({}),
});

/** Fields whose value is never repeated in an error message. */
const secretFields = new Set(
  'apiKey apiSecret currentPassword idToken newPassword nonce passphrase password token'.split(' '),
);

/** Joi's own message for a pattern repeats the value. */
export const patternMessages = {
  'string.pattern.name': Joi.expression('{{#label}} must be {{#name}}') as string,
};
const strict = preparedSchemas({ convert: false, messages: patternMessages });
const converting = preparedSchemas({ convert: true, messages: patternMessages });

/**
 * The validated input with defaults. Values are only converted with `convert`, for a query, where all values are text: in a
 * JSON body a number in quotes is not a number. Throws `invalid_input` for the first fault; `details.field` names its field.
 */
export function readInput<Input>(schema: Joi.ObjectSchema<Input>, given: object, convert = false): Input {
  const checked = (convert ? converting : strict)(schema).validate(given);
  if (!checked.error) {
    // Joi ignores a key of this name.
    if (Object.hasOwn(given, '__proto__')) throw invalid('"__proto__" is not allowed', '__proto__', true);
    return checked.value;
  }
  const [fault] = checked.error.details;
  const { message, path, type, context } = fault;
  const field = path.length > 0 ? String(path[0]) : undefined;
  const silent =
    ['any.required', 'object.unknown', 'params.refused'].includes(type) || secretFields.has(field ?? '');
  const found = silent ? '' : `, found ${shortText(context?.value, 200)}`;
  // Joi calls a field with an empty name "value".
  const named = path.at(-1) === '' ? message.replace(/^"[^"]*"/, '""') : message;
  const choices =
    type === 'any.only' ? (context!.valids as unknown[]).filter((each) => each !== null).map(String) : null;
  const shownMessage = choices
    ? named.replace(/ \[.*\]$/s, () => ` [${choices.join(', ')}]`)
    : shorten(named);
  const meant = secretFields.has(field ?? '') ? '' : nearestInput(fault, schema, given);
  const isUnknown = type === 'object.unknown' && path.length === 1;
  throw invalid(`${shownMessage}${found}${meant}`, field, isUnknown, choices);
}

const invalid = (
  message: string,
  field: string | undefined,
  unknown: boolean,
  choices: readonly unknown[] | null = null,
) =>
  new AppError('invalid_input', message, {
    details: {
      unknown,
      ...(field === undefined ? {} : { field }),
      ...(choices ? { allowed: choices.join(', ') } : {}),
    },
  });

/** A value for an error message. Objects and arrays are not shown: they may be too deep for JSON.stringify. */
export function shortText(value: unknown, most = 60): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return shorten(typeof value === 'string' ? JSON.stringify(value) : String(value), most);
}

/** The text with at most this many characters, marked if it is cut. No half of a surrogate pair is left: many clients refuse it. */
export const shorten = (text: string, most = 200): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
