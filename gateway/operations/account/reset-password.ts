import Joi from 'joi';
import type { LinkOwner } from '../../../storage/mail/mails.js';
import type { Storage } from '../../../storage/index.js';
import { chosenPassword, hashPassword } from '../../../storage/users/password.js';
import { replacePassword } from '../../../storage/users/replace-password.js';
import { takeAccount } from '../../../storage/users/take-account.js';
import { defineOperation } from '../../operation.js';
import { linkToken, unknownLink } from './link-token-input.js';
import { endedSessionsOutput, type EndedSessionsOutput } from './logout.js';

export interface ResetPasswordInput {
  token: string;
  newPassword: string;
}

/**
 * Sets a new password by the link in a mail, and ends all sessions, apps and personal tokens. The link also proves that the e-mail
 * is the user's: of an account that was not confirmed, subscriptions and keys of exchanges end, too. Throws `invalid_input` for a link that is used, expired or replaced by a newer one.
 */
export const resetPassword = defineOperation<ResetPasswordInput, EndedSessionsOutput>({
  id: 'reset-password',
  summary:
    'Sets a new password by the token of the link in a mail, ends all sessions and tokens of the account and disconnects all apps.',
  scope: 'public',
  cost: 1,
  input: Joi.object<ResetPasswordInput, true>({
    token: linkToken,
    newPassword: chosenPassword
      .required()
      .example('a long password')
      .description('new password, 8 to 1,024 bytes'),
  }),
  output: endedSessionsOutput,
  async handle({ token, newPassword }, { storage, audit, mailRequests }, caller) {
    // Before the hash, which is work, and before the claim: a full queue of hashes must not use up the link.
    if (!(await storage.mails.ownerOf('reset', token))) throw unknownLink();
    const passwordHash = await hashPassword(newPassword);
    const owner = await storage.mails.claim('reset', token);
    const tell = owner && (await mailRequests.mayTell(owner.email)) ? owner.email : null;
    const ended = owner && (await resetAccount(storage, owner, { passwordHash, tell }));
    if (ended === null) throw unknownLink();
    audit.note('password_changed', owner!.userId, caller, { by: 'mail', endedSessions: ended });
    return { payload: { ended } };
  },
});

/**
 * The tokens end before and after: before, so that none is left when this is cut off; after, for those that a session made in
 * between.
 */
async function resetAccount(
  storage: Storage,
  owner: LinkOwner,
  { passwordHash, tell }: { passwordHash: string; tell: string | null },
): Promise<number | null> {
  const { userId, email } = owner;
  if ((await storage.users.byId(userId))?.email !== email) return null;
  await storage.personalTokens.removeAll(userId);
  const ended = await replacePassword(storage, userId, passwordHash, { tell });
  await storage.personalTokens.removeAll(userId);
  const taken = ended === null ? null : await takeAccount(storage, owner);
  return taken === null ? null : ended! + taken;
}
