import { field } from '../../../compute/model/field.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import { fieldError } from '../../../compute/model/errors.js';
import { groupBy } from '../../../compute/model/group-by.js';
import type { ListedSignal, SignalOutcome } from '../../../storage/ledger/signal-outcomes.js';
import type { Storage } from '../../../storage/index.js';
import type { Channel } from '../../../storage/signals/channel.js';
import { defineOperation } from '../../operation.js';
import {
  count,
  date,
  figureOrNull,
  list,
  objectField,
  oneOf,
  text,
  type ValueOf,
  answerOf,
} from '../output-fields.js';
import { channelFields, channelView, recordSource } from './channels.js';

const bases = ['money', 'paper', 'prices'] as const;

type ChannelMonth = ValueOf<typeof month>;

type EndedSignal = ValueOf<typeof endedSignal>;

const basis = oneOf(bases, 'money or paper: closed trades of followers; prices: its levels on 1h candles');

const month = objectField(
  {
    month: text('calendar month in which they closed, UTC, as in 2026-01'),
    basis,
    signals: count('signals with a result'),
    gained: count('those of them that earned something after fees'),
    sumR: figureOrNull('sum of their R multiples, net of fees; null where none had a stop'),
  },
  'a month',
);

const endedSignal = objectField(
  {
    parent_signal_id: text('id of the signal'),
    asset: text('asset symbol'),
    tradeMarket: text('quote currency'),
    side: oneOf(['long', 'short'], 'direction'),
    createdAt: date('when the partner created it'),
    endedAt: date('when its last trade closed'),
    basis,
    returnPercent: figureOrNull(
      'return after fees, in percent: the median of followers; null where nothing was traded',
    ),
    r: figureOrNull('the same in multiples of the risk; null without a stop'),
  },
  'a signal',
);

const shownSignals = 20;
const yearMs = 365 * 86_400_000;

export const getChannel = defineOperation({
  id: 'get-channel',
  summary: 'A channel with its record, month by month over the last year, and its 20 latest ended signals.',
  isLight: true,
  input: objectSchema({
    id: field.text('id of the channel', { maxLength: 100, example: '665f1c0a9b1e8a3f4c2d1e00' }),
  }),
  output: answerOf({
    ...channelFields,
    source: recordSource,
    months: list(month, 'the oldest first'),
    ended: list(endedSignal, 'the latest first, 20 at most'),
  }),
  errors: ['unknown_channel'],
  leadsTo: [{ to: 'add-subscription', fields: { channel: 'payload/id' } }],
  async handle({ id }, { storage, settings }) {
    const channel = await storage.channels.find(id);
    const partner = channel && (await storage.partners.list()).find((each) => each.id === channel.partnerId);
    if (!channel || !partner) {
      throw fieldError('id', `there is no channel "${id}"`, 'unknown_channel');
    }
    const [records, results] = await Promise.all([
      storage.channelRecords.list(),
      resultsOf(channel, storage),
    ]);
    const last = results.slice(-shownSignals).reverse();
    const signals = await storage.signals.ofIds(last.map(({ signalId }) => signalId));
    const terms = new Map(signals.map((each) => [each.id, each]));
    return {
      payload: {
        ...channelView(channel, partner.name, records.get(id)),
        source: settings.MARKET,
        months: monthsOf(results),
        ended: last.flatMap(({ signalId, at, ...result }) => {
          const signal = terms.get(signalId);
          if (!signal) return [];
          const { coin: asset, quote: tradeMarket, side } = signal.terms;
          return {
            parent_signal_id: signalId,
            asset,
            tradeMarket,
            side,
            createdAt: signal.createdAt.toISOString(),
            endedAt: at.toISOString(),
            ...result,
          };
        }),
      },
    };
  },
});

type Result = Pick<EndedSignal, 'basis' | 'returnPercent' | 'r'> & { signalId: string; at: Date };

/** What has become of each signal of the last year that has ended, by its best basis, in the order in which they closed. */
async function resultsOf(
  { id, partnerId }: Channel,
  { signalOutcomes }: Pick<Storage, 'signalOutcomes'>,
): Promise<Result[]> {
  const since = new Date(Date.now() - yearMs);
  const [outcomes, signals] = await Promise.all([
    signalOutcomes.ofChannel(id, since),
    signalOutcomes.signalsOf(partnerId, id, since),
  ]);
  const byPrices = signals.flatMap(referenceResult);
  const traded = (isPaper: boolean) =>
    outcomes.filter((each) => each.isPaper === isPaper && !each.isOpen).map(tradedResult);
  // Later ones take the place of earlier ones.
  const all = [...byPrices, ...traded(true), ...traded(false)];
  const best = new Map(all.map((result) => [result.signalId, result]));
  return [...best.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
}

const tradedResult = ({ signalId, isPaper, closedAt: at, returnPercent, r }: SignalOutcome): Result => ({
  signalId,
  at,
  returnPercent,
  r,
  basis: isPaper ? 'paper' : 'money',
});

function referenceResult({ id: signalId, reference }: ListedSignal): Result[] {
  if (reference?.state !== 'closed' || reference.at === null) return [];
  const { at, returnPercent, r } = reference;
  return [
    {
      signalId,
      at,
      returnPercent,
      r,
      basis: 'prices',
    },
  ];
}

const monthsOf = (results: readonly Result[]): ChannelMonth[] =>
  [...groupBy(results, ({ at, basis: by }) => `${at.toISOString().slice(0, 7)} ${by}`)].map(
    ([key, group]) => {
      const [of, by] = key.split(' ');
      const multiples = group.flatMap(({ r }) => (r === null ? [] : [r]));
      return {
        month: of,
        basis: by as ChannelMonth['basis'],
        signals: group.length,
        gained: group.filter(({ returnPercent }) => (returnPercent ?? 0) > 0).length,
        sumR: multiples.length === 0 ? null : multiples.reduce((sum, each) => sum + each, 0),
      };
    },
  );
