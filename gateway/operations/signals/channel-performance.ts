import { field } from '../../../compute/model/field.js';
import { periods } from '../../../compute/model/interval.js';
import type { TrackRecord } from '../../../compute/model/track-record.js';
import { describedOperation } from '../analysis/described-operation.js';
import { namedChannels } from './channels.js';
import { emptyRecord, recordFields } from './track-record-field.js';

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
    const [channels, partners, records] = await Promise.all([
      storage.channels.list(),
      storage.partners.list(),
      storage.channelRecords.ofPeriod(period),
    ]);
    const names = new Map(partners.map(({ id, name }) => [id, name]));
    const all = channels
      // A channel of a partner who was removed gets no signals any more.
      .filter(({ partnerId }) => names.has(partnerId))
      .map(({ id, name, partnerId }) => ({
        id,
        channel: name,
        partner: names.get(partnerId)!,
        ...(records.get(id) ?? emptyRecord),
      }));
    const named = wanted === null ? null : namedChannels(wanted, channels).map(({ id }) => id);
    const chosen = all.filter(({ id, signals }) => named?.includes(id) ?? signals >= minSignals);
    const ranked = chosen.sort(byExpectancy);
    return { payload: { period, total: ranked.length, channels: ranked.slice(0, limit) } };
  },
});

type Ranked = TrackRecord & { id: string };

const byExpectancy = (one: Ranked, other: Ranked): number =>
  (other.expectancyR ?? -Infinity) - (one.expectancyR ?? -Infinity) ||
  other.traded - one.traded ||
  (one.id < other.id ? -1 : 1);
