/** What went wrong, as the caller needs to know it: who can mend it, and whether trying again helps. */
export type ErrorKind =
  | 'invalid'
  | 'denied'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'limited'
  | 'busy'
  | 'unavailable'
  | 'timeout'
  | 'bug';

/** Every code an AppError may carry, and its kind. The code is the identity of an error on every side of a wire. */
const kinds = {
  invalid_input: 'invalid',
  invalid_body: 'invalid',
  body_too_large: 'invalid',
  headers_too_large: 'invalid',
  unsupported_media_type: 'invalid',
  unknown_path: 'missing',
  method_not_allowed: 'invalid',
  invalid_settings: 'invalid',
  invalid_command: 'invalid',
  invalid_file: 'invalid',
  unauthorized: 'denied',
  forbidden: 'forbidden',
  rate_limited: 'limited',
  not_enough_history: 'invalid',
  already_exists: 'conflict',
  data_folder_in_use: 'conflict',
  port_in_use: 'conflict',
  schedule_running: 'conflict',
  queue_full: 'busy',
  no_worker: 'unavailable',
  redis_unavailable: 'unavailable',
  mongodb_unavailable: 'unavailable',
  price_stale: 'unavailable',
  idp_unavailable: 'unavailable',
  exchange_refused: 'invalid',
  exchange_unavailable: 'unavailable',
  server_not_found: 'unavailable',
  time_limit: 'timeout',
  cancelled: 'timeout',
  look_ahead: 'bug',
  secret_unreadable: 'bug',
  thread_failed: 'bug',
  unexpected: 'bug',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof kinds;

/** Facts about an error that a program may read: the input field at fault, what was expected, and the like. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** An AppError as plain data: the only form in which an error crosses a thread or a queue. */
export interface ErrorData {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
}

/** The one error class of the service: a code from the table, and a sentence that may be shown to the caller. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetails; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details ?? {};
  }

  get kind(): ErrorKind {
    return kinds[this.code];
  }
}

/** The given error as data; anything but an AppError becomes `unexpected` and keeps its own words to itself. */
export function errorToData(error: unknown): ErrorData {
  if (!(error instanceof AppError)) return { code: 'unexpected', message: 'unexpected error' };
  return { code: error.code, message: error.message, details: error.details };
}

/** The error that `errorToData` described; data of any other shape becomes `unexpected`. */
export function errorFromData(data: unknown): AppError {
  const { code, message, details } = (
    typeof data === 'object' && data !== null ? data : {}
  ) as Partial<ErrorData>;
  if (typeof code !== 'string' || !Object.hasOwn(kinds, code) || typeof message !== 'string')
    return new AppError('unexpected', 'unexpected error');
  return new AppError(code, message, { details: details ?? {} });
}
