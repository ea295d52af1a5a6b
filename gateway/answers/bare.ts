import type { AppError } from '../../compute/model/errors.js';

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
