import Joi from 'joi';
import type { TrackRecord } from '../../../compute/model/track-record.js';
import { readInput } from '../../operation.js';
import { definePartnerOperation } from '../../partner-operation.js';
import { date, list, objectField, text } from '../output-fields.js';
import { emptyRecord, trackRecordField } from '../signals/track-record-field.js';

interface PartnerChannelView {
  id: string;
  name: string;
  description: string;
  created_at: string;
  track_record: TrackRecord;
}

interface PartnerChannelsOutput {
  channels: PartnerChannelView[];
}

const input = Joi.object<object>({});

/** The partner's own channels with their track records. */
export const listPartnerChannels = definePartnerOperation<object, PartnerChannelsOutput>({
  id: 'list-partner-channels',
  summary:
    'Your channels, the oldest first, with what came of their signals; it holds no figures of accounts.',
  counts: 'commands',
  input,
  output: Joi.object<PartnerChannelsOutput, true>({
    channels: list(
      objectField<PartnerChannelView>(
        {
          id: text('id of the channel'),
          name: text('name of the channel'),
          description: text('description').allow(''),
          created_at: date('since when it exists'),
          track_record: trackRecordField,
        },
        'a channel',
      ),
      'the oldest first',
    ),
  }),
  read: (given) => readInput(input, given, true),
  async handle(_input, { storage }, { partner }) {
    const [channels, records] = await Promise.all([storage.channels.list(), storage.channelRecords.list()]);
    const own = channels.filter(({ partnerId }) => partnerId === partner.id);
    return {
      payload: {
        channels: own.map(({ id, name, description, createdAt }) => ({
          id,
          name,
          description,
          created_at: createdAt.toISOString(),
          track_record: records.get(id) ?? emptyRecord,
        })),
      },
    };
  },
});
