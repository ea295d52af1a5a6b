import { AppError } from '../../compute/model/errors.js';

/** The error for every partner request without a valid key and secret. Its text does not say which of the two is wrong. */
export const badCredentials = (): AppError =>
  new AppError('forbidden', 'a valid key and secret are needed: headers svc-api-key and svc-api-secret');
