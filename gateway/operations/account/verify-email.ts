import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';
import { linkToken, unknownLink } from './link-token-input.js';

export interface VerifyEmailInput {
  token: string;
}

export interface VerifyEmailOutput {
  email: string;
}

/**
 * Confirms the e-mail that the link was sent to. Needs no session, because the mail may be read on another device. Throws
 * `invalid_input` for a link that is used, expired or replaced by a newer one.
 */
export const verifyEmail = defineOperation<VerifyEmailInput, VerifyEmailOutput>({
  id: 'verify-email',
  summary: 'Confirms the e-mail of an account by the token of the link that was sent to it.',
  scope: 'public',
  cost: 1,
  input: Joi.object<VerifyEmailInput, true>({ token: linkToken }),
  output: Joi.object<VerifyEmailOutput, true>({ email: text('e-mail that is confirmed') }),
  async handle({ token }, { storage, audit }, caller) {
    const owner = await storage.mails.claim('verify', token);
    if (!owner || !(await storage.users.confirmEmail(owner.userId, owner.email))) throw unknownLink();
    audit.note('email_verified', owner.userId, caller);
    return { payload: { email: owner.email } };
  },
});
