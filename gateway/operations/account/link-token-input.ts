import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';

/** The token of a link in a mail. */
export const linkToken = Joi.string()
  .max(100)
  .required()
  .example('TOKEN_OF_THE_LINK')
  .description('token of the link in the mail');

/** The error for a link that does not work: the same words, whatever is wrong with it. */
export const unknownLink = (): AppError =>
  new AppError(
    'invalid_input',
    'the link does not work: it was used, it has expired, or a newer mail has replaced it; ask for another mail',
    { details: { field: 'token' } },
  );
