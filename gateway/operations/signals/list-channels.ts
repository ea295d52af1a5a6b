import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { list, objectField } from '../output-fields.js';
import { channelFields, channelView, recordSource, type ChannelView } from './channel-view.js';

interface ChannelsOutput {
  channels: ChannelView[];
  source: string;
}

/** The channels that can be followed. */
export const listChannels = defineOperation<object, ChannelsOutput>({
  id: 'list-channels',
  summary: 'The channels of partners that you can subscribe to.',
  scope: 'public',
  cost: 1,
  input: Joi.object<object>({}),
  output: Joi.object<ChannelsOutput, true>({
    channels: list(objectField<ChannelView>(channelFields, 'a channel'), 'the oldest first'),
    source: recordSource,
  }),
  leadsTo: [{ to: 'add-subscription', fields: { channel: 'payload/channels/0/id' } }],
  async handle(_input, { storage, settings }) {
    const [channels, partners, records] = await Promise.all([
      storage.channels.list(),
      storage.partners.list(),
      storage.channelRecords.list(),
    ]);
    const names = new Map(partners.map(({ id, name }) => [id, name]));
    return {
      payload: {
        source: settings.MARKET,
        // A channel of a partner who was removed gets no signals any more.
        channels: channels
          .filter(({ partnerId }) => names.has(partnerId))
          .map((channel) => channelView(channel, names.get(channel.partnerId)!, records.get(channel.id))),
      },
    };
  },
});
