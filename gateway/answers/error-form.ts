import type { AppError } from '../../compute/model/errors.js';
import { bareFailure } from './bare.js';
import { failureEnvelope } from './envelope.js';

type ErrorForm = (error: AppError, requestId: string) => object;

/** In which form the errors of a path are told: the first prefix that fits decides. */
const forms: readonly [prefix: string, form: ErrorForm][] = [
  ['/v3/', bareFailure],
  ['/', failureEnvelope],
];

/** The body of an error's answer, in the form of the surface that was asked. */
export function errorBody(path: string, error: AppError, requestId: string): object {
  const [, form] = forms.find(([prefix]) => path.startsWith(prefix)) ?? ['', failureEnvelope];
  return form(error, requestId);
}
