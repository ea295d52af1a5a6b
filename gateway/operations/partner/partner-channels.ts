import { fieldError } from '../../../compute/model/errors.js';
import { field } from '../../../compute/model/field.js';
import { describedOperation } from '../analysis/described-operation.js';
import { ownChannel, ownChannelFields, requireMember } from './get-partner.js';

const name = field.text('name, one line, unique among the channels of the partner', {
  maxLength: 100,
  pattern: /^(?! )[^\p{Cc}\p{Surrogate}]+(?<! )$/u,
  patternName: 'one line of text',
  example: 'Majors',
});
const description = field.nullable(
  field.text('what users read about it; null: nothing', { maxLength: 1_000 }),
  { default: null },
);

export const addPartnerChannel = describedOperation({
  id: 'add-partner-channel',
  summary: 'Adds a channel of the partner that you act for, to which users can subscribe.',
  scope: 'user',
  errors: ['already_exists'],
  input: { name, description },
  output: ownChannelFields,
  async handle({ name: called, description: text }, deps, { user, ...caller }) {
    const { id: partnerId, name: partner } = await requireMember(user!, deps);
    const channel = await deps.storage.channels.add({ partnerId, name: called, description: text ?? '' });
    deps.audit.note('partner_command', user!.userId, caller, {
      partner,
      command: 'add-partner-channel',
      channel: channel.name,
    });
    return { payload: ownChannel(channel) };
  },
});

/** Changes the description of a channel. Its name stays, because followers know it by that. */
export const changePartnerChannel = describedOperation({
  id: 'change-partner-channel',
  summary: 'Changes what users read about a channel of the partner that you act for.',
  scope: 'user',
  errors: ['unknown_channel'],
  input: {
    id: field.text('id of the channel', { maxLength: 100, example: '665f1c0a9b1e8a3f4c2d1e00' }),
    description,
  },
  output: ownChannelFields,
  async handle({ id, description: text }, deps, { user, ...caller }) {
    const { id: partnerId, name: partner } = await requireMember(user!, deps);
    const changed = await deps.storage.channels.describe(partnerId, id, text ?? '');
    if (!changed) throw fieldError('id', `you have no channel "${id}"`, 'unknown_channel');
    deps.audit.note('partner_command', user!.userId, caller, {
      partner,
      command: 'change-partner-channel',
      channel: changed.name,
    });
    return { payload: ownChannel(changed) };
  },
});
