import { AppError } from '../../compute/model/errors.js';

/** The error of every request of a partner without a good key and secret: the same words, whatever is wrong. */
export const badCredentials = (): AppError =>
  new AppError('forbidden', 'a valid key and secret are needed: headers svc-api-key and svc-api-secret');
