import Joi from 'joi';
import type { TrackRecord } from '../../../compute/model/track-record.js';
import type { ChannelDefaults } from '../../../storage/signals/channel.js';
import { defineOperation } from '../../operation.js';
import { date, list, objectField, oneOf, text } from '../output-fields.js';
import { emptyRecord, trackRecordField } from './track-record-field.js';

interface ChannelView {
  id: string;
  name: string;
  partner: string;
  description: string;
  defaults: ChannelDefaults;
  trackRecord: TrackRecord;
  createdAt: string;
}

interface ChannelsOutput {
  channels: ChannelView[];
}

const percentText = (description: string) => text(`${description}, in percent: 5 means 5 %`);

const defaults = objectField<ChannelDefaults>(
  {
    targetPercents: list(percentText('distance from the entry'), 'targets of a signal without any'),
    stopLossPercent: percentText('distance of the stop of a signal without one; null: no stop').allow(null),
    trailingStopPercent: percentText(
      'distance of a trailing stop of a signal without a stop; null: none',
    ).allow(null),
    sides: list(oneOf(['long', 'short'], 'a direction'), 'directions that a new subscription follows'),
  },
  'what the channel adds to signals that do not say it themselves',
);

/** The channels that can be followed. */
export const listChannels = defineOperation<object, ChannelsOutput>({
  id: 'list-channels',
  summary: 'The channels of partners that you can subscribe to.',
  scope: 'public',
  cost: 1,
  input: Joi.object<object>({}),
  output: Joi.object<ChannelsOutput, true>({
    channels: list(
      objectField<ChannelView>(
        {
          id: text('id of the channel'),
          name: text('name of the channel'),
          partner: text('name of the partner'),
          description: text('description').allow(''),
          defaults,
          trackRecord: trackRecordField,
          createdAt: date('since when it exists'),
        },
        'a channel',
      ),
      'the oldest first',
    ),
  }),
  leadsTo: [{ to: 'add-subscription', fields: { channel: 'payload/channels/0/id' } }],
  async handle(_input, { storage }) {
    const [channels, partners, records] = await Promise.all([
      storage.channels.list(),
      storage.partners.list(),
      storage.channelRecords.list(),
    ]);
    const names = new Map(partners.map(({ id, name }) => [id, name]));
    return {
      payload: {
        // A channel of a partner who was removed gets no signals any more.
        channels: channels
          .filter(({ partnerId }) => names.has(partnerId))
          .map(({ id, name, partnerId, description, defaults: added, createdAt }) => ({
            ...{ id, name, partner: names.get(partnerId)!, description, defaults: added },
            trackRecord: records.get(id) ?? emptyRecord,
            createdAt: createdAt.toISOString(),
          })),
      },
    };
  },
});
