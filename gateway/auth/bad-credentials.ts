import { AppError } from '../../compute/model/errors.js';

/** The error for every partner request without a valid key and its secret or signature. Its text does not say which is wrong. */
export const badCredentials = (
  message = 'a valid key and secret are needed: headers svc-api-key and svc-api-secret',
): AppError => new AppError('forbidden', message);
