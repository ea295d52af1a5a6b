import { AppError } from '../../../compute/model/errors.js';
import { field } from '../../../compute/model/field.js';
import { mostKeys } from '../../../storage/users/partners.js';
import { describedOperation } from '../analysis/described-operation.js';
import { requireMember } from './require-member.js';

const keyField = field.text('the key');

/** Makes another key of the partner; its secret is shown once. */
export const addPartnerKey = describedOperation({
  id: 'add-partner-key',
  summary: 'Makes another key of the partner that you act for; its secret is in this answer alone.',
  scope: 'user',
  errors: ['too_many_tokens'],
  input: {},
  output: { key: keyField, secret: field.text('its secret, which is not shown again') },
  async handle(_input, deps, { user, ...caller }) {
    const { name: partner } = await requireMember(user!, deps);
    const made = await deps.storage.partners.addKey(partner, await deps.exchanges.exchanges.box());
    if (made === 'unknown') throw new AppError('forbidden', 'the partner was removed');
    if (made === 'full')
      throw new AppError('too_many_tokens', `a partner has at most ${mostKeys} keys: revoke one first`);
    const { key, secret } = made;
    deps.audit.note('partner_command', user!.userId, caller, { partner, command: 'add-partner-key', key });
    return { payload: { key, secret } };
  },
});

/** Revokes a key of the partner. */
export const revokePartnerKey = describedOperation({
  id: 'revoke-partner-key',
  summary: 'Revokes a key of the partner that you act for, at once.',
  scope: 'user',
  errors: ['unknown_token'],
  input: { key: field.text('the key', { maxLength: 100, example: '0'.repeat(32) }) },
  output: { key: keyField },
  async handle({ key }, deps, { user, ...caller }) {
    const { name: partner, keys } = await requireMember(user!, deps);
    if (!keys.some((each) => each.key === key) || !(await deps.storage.partners.revokeKey(key)))
      throw new AppError('unknown_token', 'the partner has no such key', { details: { field: 'key' } });
    deps.audit.note('partner_command', user!.userId, caller, { partner, command: 'revoke-partner-key', key });
    return { payload: { key } };
  },
});
