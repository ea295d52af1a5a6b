import type Joi from 'joi';
import type { TrackRecord } from '../../../compute/model/track-record.js';
import type { Channel, ChannelDefaults } from '../../../storage/signals/channel.js';
import { date, list, objectField, oneOf, text } from '../output-fields.js';
import { emptyRecord, trackRecordField } from './track-record-field.js';

/** A channel as its followers see it. */
export interface ChannelView {
  id: string;
  name: string;
  partner: string;
  description: string;
  defaults: ChannelDefaults;
  trackRecord: TrackRecord;
  createdAt: string;
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

/** Where the records of channels come from. */
export const recordSource = text('market on whose candles the records rest; demo: a made-up market');

export const channelFields: Joi.StrictSchemaMap<ChannelView> = {
  id: text('id of the channel'),
  name: text('name of the channel'),
  partner: text('name of the partner'),
  description: text('description').allow(''),
  defaults,
  trackRecord: trackRecordField,
  createdAt: date('since when it exists'),
};

export const channelView = (
  { id, name, description, defaults: added, createdAt }: Channel,
  partner: string,
  record: TrackRecord | undefined,
): ChannelView => ({
  id,
  name,
  partner,
  description,
  defaults: added,
  trackRecord: record ?? emptyRecord,
  createdAt: createdAt.toISOString(),
});
