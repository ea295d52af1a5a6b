import type { AppError } from '../../compute/model/errors.js';

/** The form in which surface D tells of an error; its answers are bare objects. */
export interface BareFailure {
  error: { code: string; message: string; field?: string; part?: string; requestId: string };
}

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
