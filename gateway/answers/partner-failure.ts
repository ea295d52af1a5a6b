import type { AppError } from '../../compute/model/errors.js';
import { failureEnvelope, type Envelope } from './envelope.js';

/**
 * The body of an error of the partner API. A bad request is one of two types: something that is required is missing, or
 * something that is given is wrong.
 */
export function partnerFailure(error: AppError, requestId: string): Envelope {
  const { result, payload } = failureEnvelope(error, requestId);
  if (error.kind !== 'invalid' || error.code === 'method_not_allowed') return { result, payload };
  const type = error.details.missing === true ? 'INVALID_INPUT_MISSING' : 'INVALID_INPUT_CONTENT';
  return { result: { type }, payload };
}
