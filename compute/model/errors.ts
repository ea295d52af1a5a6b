/** The kinds of errors: who can fix the cause, and whether a retry can help. */
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

/** Every code of an AppError and its kind. The code identifies an error in all processes and in answers. */
const kinds = {
  invalid_input: 'invalid',
  invalid_body: 'invalid',
  body_too_large: 'invalid',
  headers_too_large: 'invalid',
  unsupported_media_type: 'invalid',
  http_version_not_supported: 'invalid',
  unknown_path: 'missing',
  unknown_app: 'missing',
  unknown_backtest: 'missing',
  unknown_channel: 'missing',
  unknown_conversation: 'missing',
  unknown_order: 'missing',
  unknown_session: 'missing',
  unknown_strategy: 'missing',
  unknown_signal: 'missing',
  unknown_subscription: 'missing',
  unknown_token: 'missing',
  method_not_allowed: 'invalid',
  invalid_settings: 'invalid',
  invalid_command: 'invalid',
  invalid_file: 'invalid',
  unauthorized: 'denied',
  forbidden: 'forbidden',
  rate_limited: 'limited',
  not_enough_history: 'invalid',
  already_exists: 'conflict',
  channel_halted: 'conflict',
  conversation_busy: 'conflict',
  data_folder_in_use: 'conflict',
  port_in_use: 'conflict',
  positions_open: 'conflict',
  schedule_running: 'conflict',
  too_many_backtests: 'conflict',
  too_many_strategies: 'conflict',
  too_many_tokens: 'conflict',
  lease_lost: 'conflict',
  newer_database: 'conflict',
  service_running: 'conflict',
  gateway_busy: 'busy',
  queue_full: 'busy',
  no_worker: 'unavailable',
  redis_unavailable: 'unavailable',
  mongodb_unavailable: 'unavailable',
  price_stale: 'unavailable',
  market_filling: 'unavailable',
  idp_unavailable: 'unavailable',
  gateway_closing: 'unavailable',
  model_failed: 'unavailable',
  still_running: 'unavailable',
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

/** Facts about an error for programs, such as the name of the wrong input field or the expected value. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null>>;

/** An AppError as plain data, the form in which errors are sent between threads and processes. */
export interface ErrorData {
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
}

/** The error class of the service: a code from the table, and a sentence that callers may see. */
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

/** An error of one field of the input. */
export const fieldError = (
  field: string,
  message: string,
  code: ErrorCode = 'invalid_input',
  more: ErrorDetails = {},
): AppError => new AppError(code, message, { details: { field, ...more } });

/** The error as data. Anything but an AppError becomes `unexpected`, without its message. */
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
