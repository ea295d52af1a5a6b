import type { AppError, ErrorKind } from '../../compute/model/errors.js';

/** The body of every answer outside /v3. */
export interface Envelope {
  result: { type: string; ttl?: number };
  payload: unknown;
}

const statusByKind: Record<ErrorKind, number> = {
  invalid: 400,
  denied: 401,
  forbidden: 403,
  missing: 404,
  conflict: 409,
  limited: 429,
  busy: 503,
  unavailable: 503,
  timeout: 504,
  bug: 500,
};

const statusByCode: Partial<Record<string, number>> = {
  body_too_large: 413,
  headers_too_large: 431,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  http_version_not_supported: 505,
};

/** The HTTP status of an error. */
export const statusOf = ({ code, kind }: AppError): number => statusByCode[code] ?? statusByKind[kind];

/** Seconds after which a retry makes sense; null if it does not. */
export function retryAfter({ code, kind, details }: AppError): number | null {
  if (typeof details.retryAfterSeconds === 'number') return details.retryAfterSeconds;
  // An exchange that can't be reached seldom can a second later.
  if (code === 'exchange_unavailable') return Math.ceil(Number(details.retryAfterMs ?? 60_000) / 1_000);
  return kind === 'busy' || kind === 'unavailable' ? 1 : null;
}

/** The body of a successful answer; `ttl` in seconds. */
export const successEnvelope = (payload: unknown, ttl?: number): Envelope => ({
  result: { type: 'OPERATION_PERFORMED', ...(ttl === undefined ? {} : { ttl }) },
  payload,
});

/** The body of an error. Messages of bugs are not shown. */
export function failureEnvelope(error: AppError, requestId: string): Envelope {
  const { field, part } = error.details;
  return {
    result: { type: resultType(error) },
    payload: {
      message: error.kind === 'bug' ? 'unexpected error' : error.message,
      ...(field === undefined ? {} : { field }),
      ...(part === undefined ? {} : { part }),
      requestId,
    },
  };
}

function resultType({ code, kind, details }: AppError): string {
  if (kind === 'denied' || kind === 'forbidden') return 'UNAUTHORIZED';
  if (kind === 'limited') return 'INVALID_INPUT_RATE';
  if (kind === 'missing' && details.field === undefined) return 'INVALID_INPUT_PATH';
  if (kind !== 'invalid' && kind !== 'conflict' && kind !== 'missing') return 'CRITICAL';
  if (code === 'method_not_allowed') return 'INVALID_INPUT_METHOD';
  if (code === 'not_enough_history' && details.field === undefined) return 'INVALID_INPUT_ASSET';
  if (code !== 'invalid_input' && details.field === undefined) return 'INVALID_INPUT_BODY';
  // The name of an unknown field is the caller's text and must not become part of the type.
  if (details.field === undefined || details.unknown === true) return 'INVALID_INPUT_CONTENT';
  // A fault inside a field is reported for the top-level field: `levels.0.buyPrice` for LEVELS.
  const [field] = String(details.field).split(/[.[]/);
  return `INVALID_INPUT_${field.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The body of an error of the signed API (/v3), whose answers have no envelope. */
export interface BareFailure {
  error: { code: string; message: string; field?: string; part?: string; requestId: string };
}

/** The body of an error. Messages of bugs are not shown. */
export function bareFailure(error: AppError, requestId: string): BareFailure {
  const { field, part } = error.details;
  const isBug = error.kind === 'bug';
  return {
    error: {
      code: isBug ? 'unexpected' : error.code,
      message: isBug ? 'unexpected error' : error.message,
      ...(field === undefined ? {} : { field: String(field) }),
      ...(part === undefined ? {} : { part: String(part) }),
      requestId,
    },
  };
}
