import { field } from '../../../compute/model/field.js';
import type { Channel } from '../../../storage/signals/channel.js';
import { mostChannels } from '../../../storage/signals/channels.js';
import { mostKeys, type PartnerKey, type Partner } from '../../../storage/users/partners.js';
import { describedOperation } from '../analysis/described-operation.js';
import { emptyRecord, recordFields } from '../../../compute/model/track-record.js';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Deps } from '../../context.js';

const keyField = field.text('the key');

export const addPartnerKey = describedOperation({
  id: 'add-partner-key',
  summary: 'Makes another key of the partner that you act for; its secret is in this answer alone.',
  scope: 'user',
  errors: ['too_many_tokens'],
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
      throw fieldError('key', 'the partner has no such key', 'unknown_token');
    deps.audit.note('partner_command', user!.userId, caller, { partner, command: 'revoke-partner-key', key });
    return { payload: { key } };
  },
});

/** The partner that a user acts for. Throws `forbidden` where there is none. */
export async function requireMember(
  { userId }: Pick<SignedIn, 'userId'>,
  { storage }: Pick<Deps, 'storage'>,
): Promise<Partner> {
  const partner = await storage.partners.ofMember(userId);
  if (partner) return partner;
  throw new AppError('forbidden', 'you act for no partner: the operator of the service adds members');
}

/** A channel as the members of its partner see it. */
const ownChannelFields = {
  id: field.text('id of the channel'),
  name: field.text('its name'),
  description: field.nullable(field.text('what users read about it; null: nothing')),
  createdAt: field.time('since when it exists'),
};

const ownChannel = ({ id, name, description, createdAt }: Channel) => ({
  id,
  name,
  description: description || null,
  createdAt: createdAt.getTime(),
});

/** A key without its secret. */
const ownKeyFields = {
  key: field.text('the key'),
  channel: field.nullable(field.text('id of the channel that its signals go to; null: the first')),
  createdAt: field.time('when it was made'),
  lastUsedAt: field.nullable(field.time('when it was accepted last; null: never')),
  addresses: field.list('addresses and networks that may use it; empty: all', field.text('one of them')),
};

const ownKey = ({ key, channelId, createdAt, lastUsedAt, addresses }: PartnerKey) => ({
  key,
  channel: channelId,
  addresses,
  createdAt: createdAt.getTime(),
  lastUsedAt: lastUsedAt?.getTime() ?? null,
});

export const getPartner = describedOperation({
  id: 'get-partner',
  summary:
    'The partner that you act for: its channels with their records, its keys without secrets, and its limits.',
  scope: 'user',
  isLight: true,
  output: {
    name: field.text('name of the partner'),
    source: field.text('market on whose candles the records rest; demo: a made-up market'),
    channels: field.list(
      'the oldest first',
      field.object('a channel', {
        ...ownChannelFields,
        trackRecord: field.object('what came of its signals', recordFields),
      }),
    ),
    keys: field.list('the oldest first', field.object('a key', ownKeyFields)),
    limits: field.object('limits of the partner', {
      signalsPerMinute: field.count('signals that it may create in a minute'),
      commandsPerMinute: field.count('other requests a minute'),
      keys: field.count('most keys'),
      channels: field.count('most channels'),
    }),
  },
  async handle(_input, deps, { user }) {
    const { storage, settings } = deps;
    const { id, name, keys } = await requireMember(user!, deps);
    const [channels, records] = await Promise.all([storage.channels.list(), storage.channelRecords.list()]);
    return {
      payload: {
        name,
        source: settings.MARKET,
        channels: channels
          .filter(({ partnerId }) => partnerId === id)
          .map((channel) => ({
            ...ownChannel(channel),
            trackRecord: records.get(channel.id) ?? emptyRecord,
          })),
        keys: keys.map(ownKey),
        limits: {
          signalsPerMinute: settings.RATE_SIGNALS,
          commandsPerMinute: settings.RATE_COMMANDS,
          keys: mostKeys,
          channels: mostChannels,
        },
      },
    };
  },
});

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
