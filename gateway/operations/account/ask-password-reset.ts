import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import { emailAddress } from '../../../storage/users/email.js';
import { linkLifetimeMs } from '../../../storage/mail/mail-kinds.js';
import { defineOperation } from '../../operation.js';
import { count } from '../output-fields.js';

export interface AskPasswordResetInput {
  email: string;
}

export interface AskPasswordResetOutput {
  linkMinutes: number;
}

/**
 * Asks for a mail with a link to choose a new password. The answer, the time it takes and the limits are the same whether or
 * not the e-mail has an account: that is looked up when the mail is sent. Over the limits it is the same, too, and no mail is sent.
 */
export const askPasswordReset = defineOperation<AskPasswordResetInput, AskPasswordResetOutput>({
  id: 'ask-password-reset',
  summary:
    'Sends a mail with a link to choose a new password, if the e-mail has an account and not too many were asked for.',
  scope: 'public',
  cost: 1,
  input: Joi.object<AskPasswordResetInput, true>({
    email: emailAddress.required().description('e-mail of the account'),
  }),
  output: Joi.object<AskPasswordResetOutput, true>({
    linkMinutes: count('minutes for which the link in the mail works'),
  }),
  async handle({ email }, { mailRequests }, { address }) {
    await mailRequests.ask('reset', { email, address }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'rate_limited') throw error;
    });
    return { payload: { linkMinutes: linkLifetimeMs.reset / 60_000 } };
  },
});
