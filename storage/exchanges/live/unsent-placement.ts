import { AppError } from '../../../compute/model/errors.js';
import type { Placement } from '../trading-venue.js';

/** What a request that changed nothing means for an order. */
export function unsentPlacement(error: unknown): Placement {
  if (!(error instanceof AppError)) throw error;
  const isRefused = error.code === 'exchange_refused' && error.details.reason !== 'clock';
  return isRefused ? { refused: error.message } : postponedBy(error);
}

/** An order that the exchange has not taken now. */
export function postponedBy({ message, details }: AppError): Placement {
  const { retryAfterMs } = details;
  return { postponed: message, ...(typeof retryAfterMs === 'number' && { retryAfterMs }) };
}
