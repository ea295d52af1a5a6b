import { AppError } from '../../../compute/model/errors.js';
import type { Placement } from '../trading-venue.js';

/** The outcome for an order whose request was not sent: refused or postponed. Throws an error that is no `AppError`. */
export function unsentPlacement(error: unknown): Placement {
  if (!(error instanceof AppError)) throw error;
  return error.code === 'exchange_refused' ? { refused: error.message } : postponedBy(error);
}

/** The outcome for an order that can be placed later. */
export function postponedBy({ message, details }: AppError): Placement {
  const { retryAfterMs } = details;
  return { postponed: message, ...(typeof retryAfterMs === 'number' && { retryAfterMs }) };
}
