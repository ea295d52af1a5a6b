import { field } from '../../../compute/model/field.js';
import type { Channel } from '../../../storage/signals/channel.js';
import { mostChannels } from '../../../storage/signals/channels.js';
import { mostKeys, type PartnerKey } from '../../../storage/users/partners.js';
import { describedOperation } from '../analysis/described-operation.js';
import { emptyRecord, recordFields } from '../signals/track-record-field.js';
import { requireMember } from './require-member.js';

/** A channel as the members of its partner see it. */
export const ownChannelFields = {
  id: field.text('id of the channel'),
  name: field.text('its name'),
  description: field.nullable(field.text('what users read about it; null: nothing')),
  createdAt: field.time('since when it exists'),
};

export const ownChannel = ({ id, name, description, createdAt }: Channel) => ({
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

/** The partner that the user acts for. */
export const getPartner = describedOperation({
  id: 'get-partner',
  summary:
    'The partner that you act for: its channels with their records, its keys without secrets, and its limits.',
  scope: 'user',
  isLight: true,
  input: {},
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
