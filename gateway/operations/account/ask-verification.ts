import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { flag } from '../output-fields.js';

export interface AskVerificationOutput {
  isVerified: boolean;
}

/** Asks for another mail that confirms the e-mail of the account. Throws `rate_limited` after too many. */
export const askVerification = defineOperation<object, AskVerificationOutput>({
  id: 'ask-verification',
  summary: 'Sends another mail with a link that confirms the e-mail of the account.',
  scope: 'user',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<AskVerificationOutput, true>({
    isVerified: flag('whether the e-mail is confirmed already; then no mail is sent'),
  }),
  async handle(_input, { storage, mailRequests }, { user, address }) {
    const { userId, email } = user!;
    const found = await storage.users.byId(userId);
    const isVerified = found?.emailVerifiedAt !== null;
    if (!isVerified) await mailRequests.ask('verify', { email, address });
    return { payload: { isVerified } };
  },
});
