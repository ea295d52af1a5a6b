import { AppError } from '../../../compute/model/errors.js';
import type { KeyRefusal, Placement } from '../trading-venue.js';

/** The outcome for an order whose request was not sent: refused or postponed. Throws an error that is no `AppError`. */
export function unsentPlacement(error: unknown): Placement {
  if (!(error instanceof AppError)) throw error;
  return error.code === 'exchange_refused' ? refusedBy(error) : postponedBy(error);
}

/** The outcome for an order that the exchange has refused. */
export const refusedBy = (error: AppError): Placement => ({ refused: error.message, ...keyRefusal(error) });

/** What an error says of a key that may not do this. */
export const keyRefusal = ({ details, message }: AppError): KeyRefusal =>
  details.reason === 'key' ? { refusedKey: message } : {};

/** The outcome for an order that can be placed later. */
export function postponedBy({ message, details }: AppError): Placement {
  const { retryAfterMs } = details;
  return { postponed: message, ...(typeof retryAfterMs === 'number' && { retryAfterMs }) };
}
