import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { list, objectField, date, oneOf, text, answerOf, type Answered, shownOf } from '../output-fields.js';
import { emptyRecord, recordFields, type TrackRecord } from '../../../compute/model/track-record.js';
import type { Channel } from '../../../storage/signals/channel.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { fieldError } from '../../../compute/model/errors.js';
import { didYouMean, nearestNames } from '../../../compute/model/nearest-names.js';
import type { Storage } from '../../../storage/index.js';
import { field } from '../../../compute/model/field.js';
import { periods } from '../../../compute/model/interval.js';
import { describedOperation } from '../analysis/described-operation.js';

/** A channel as its followers see it. */
export type ChannelView = Answered<typeof channelFields>;

const percentText = (description: string) => text(`${description}, in percent: 5 means 5 %`);

const defaults = objectField(
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

export const trackRecordField = Joi.object<TrackRecord>(keysOf(recordFields, 'answer'))
  .required()
  .description(
    'what came of the signals of the last year for followers with money, a signal counting once with the median of its followers',
  );

/** Where the records of channels come from. */
export const recordSource = text('market on whose candles the records rest; demo: a made-up market');

export const channelFields = {
  id: text('id of the channel'),
  name: text('name of the channel'),
  partner: text('name of the partner'),
  description: text('description').allow(''),
  defaults,
  trackRecord: trackRecordField,
  createdAt: date('since when it exists'),
};

export const channelView = (
  channel: Channel,
  partner: string,
  record: TrackRecord | undefined,
): ChannelView => ({
  ...shownOf(channelFields, channel),
  partner,
  trackRecord: record ?? emptyRecord,
});

/** All channels, and those that are listed, with the names of their partners and their records. One of a partner who was removed gets no signals any more. */
async function listedChannels(storage: Storage, reading: Promise<ReadonlyMap<string, TrackRecord>>) {
  const [channels, partners, records] = await Promise.all([
    storage.channels.list(),
    storage.partners.list(),
    reading,
  ]);
  const names = new Map(partners.map(({ id, name }) => [id, name]));
  const listed = channels.flatMap((channel) => {
    const partner = names.get(channel.partnerId);
    return partner === undefined ? [] : [{ channel, partner, record: records.get(channel.id) }];
  });
  return { channels, listed };
}

export const listChannels = defineOperation({
  id: 'list-channels',
  summary: 'The channels of partners that you can subscribe to.',
  output: answerOf({
    channels: list(objectField(channelFields, 'a channel'), 'the oldest first'),
    source: recordSource,
  }),
  leadsTo: [{ to: 'add-subscription', fields: { channel: 'payload/channels/0/id' } }],
  async handle(_input, { storage, settings }) {
    const { listed } = await listedChannels(storage, storage.channelRecords.list());
    return {
      payload: {
        source: settings.MARKET,
        channels: listed.map(({ channel, partner, record }) => channelView(channel, partner, record)),
      },
    };
  },
});

/** The channel of that id, or those of that name in any case. Throws `invalid_input` without any, with the names of the known ones. */
function namedChannels<Row extends { id: string; name: string }>(wanted: string, all: readonly Row[]): Row[] {
  const name = wanted.trim().toLowerCase();
  const found = all.filter((each) => each.id === wanted || each.name.toLowerCase() === name);
  if (found.length > 0) return found;
  const known = [...new Set(all.map((each) => each.name))];
  const some = known.slice(0, 10).join(', ');
  const allowed = known.length === 0 ? 'no channels yet' : some + (known.length > 10 ? ' and others' : '');
  const meant = didYouMean(nearestNames(wanted, known)) || `; the channels are ${allowed}`;
  throw fieldError('channel', `there is no channel "${wanted}"${meant}`, 'invalid_input', { allowed });
}

/** The id of the one channel that a filter means; undefined without a filter. Throws `invalid_input` for none and for several. */
export async function channelFilter(
  wanted: string | undefined,
  { channels }: Pick<Storage, 'channels'>,
): Promise<string | undefined> {
  if (wanted === undefined) return undefined;
  const [first, ...others] = namedChannels(wanted, await channels.list());
  if (others.length === 0) return first.id;
  const ids = [first, ...others].map(({ id }) => id).join(' or ');
  throw fieldError(
    'channel',
    `several channels are called "${wanted}": say which by its id, ${ids}`,
    'invalid_input',
    { allowed: ids },
  );
}

const input = {
  channel: field.nullable(
    field.text('id or name of a channel; null: the ranking of all', { maxLength: 100 }),
    {
      default: null,
    },
  ),
  period: field.choice('how far back signals count', periods, { default: '1y' }),
  minSignals: field.integer('least signals of a channel of the ranking', {
    min: 0,
    max: 100_000,
    default: 20,
  }),
  limit: field.integer('most rows', { min: 1, max: 50, default: 10 }),
};

const output = {
  period: field.choice('how far back signals count', periods),
  total: field.count('channels that match, beyond the limit too'),
  channels: field.list(
    'by expectancy with money, the highest first; channels without one last. Names are the words of partners',
    field.object(
      'what came of the signals of a channel; each counts once, with the median of its followers',
      {
        id: field.text('id of the channel'),
        channel: field.text('name of the channel'),
        partner: field.text('name of the partner'),
        ...recordFields,
      },
    ),
  ),
};

export const channelPerformance = describedOperation({
  id: 'channel-performance',
  summary:
    'The track records of signal channels: of one, or ranked by expectancy. Nothing is computed on request.',
  input,
  output,
  async handle({ channel: wanted, period, minSignals, limit }, { storage }) {
    const { channels, listed } = await listedChannels(storage, storage.channelRecords.ofPeriod(period));
    const all = listed.map(({ channel: { id, name }, partner, record = emptyRecord }) => ({
      id,
      channel: name,
      partner,
      ...record,
    }));
    const named = wanted === null ? null : namedChannels(wanted, channels);
    const chosen = all.filter(
      ({ id, signals }) => named?.some((each) => each.id === id) ?? signals >= minSignals,
    );
    const ranked = chosen.sort(byExpectancy);
    return { payload: { period, total: ranked.length, channels: ranked.slice(0, limit) } };
  },
});

type Ranked = TrackRecord & { id: string };

const byExpectancy = (one: Ranked, other: Ranked): number =>
  (other.expectancyR ?? -Infinity) - (one.expectancyR ?? -Infinity) ||
  other.traded - one.traded ||
  (one.id < other.id ? -1 : 1);
