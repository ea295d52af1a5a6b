import Joi from 'joi';
import type { BookedTrade } from '../../../storage/ledger/booked-trade.js';
import {
  count,
  date,
  figureOrNull,
  list,
  objectField,
  oneOf,
  text,
  decimal,
  answerOf,
  type Answered,
  shownOf,
} from '../output-fields.js';
import { executionStatuses } from '../signals/signal-view.js';
import { assetField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { TradePlace } from '../../../storage/ledger/booked-trades.js';
import { defineOperation, readInput } from '../../operation.js';
import { pageOf, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import { definePartnerOperation } from '../../partner-operation.js';
import { emptyRecord } from '../../../compute/model/track-record.js';
import { channelFilter, trackRecordField } from '../signals/channels.js';

/** A closed trade, as its user sees it. */
export type TradeView = Answered<typeof tradeFields>;

const tradeFields = {
  parent_signal_id: text('id of the signal'),
  channel: text('id of the channel'),
  exchange: text('exchange'),
  asset: text('asset symbol'),
  tradeMarket: text('quote currency'),
  side: oneOf(['long', 'short'], 'direction'),
  leverage: count('multiplier'),
  status: oneOf(executionStatuses, 'how the execution ended'),
  reason: text('why it ended').allow(null),
  profit: decimal('realised profit net of fees by average cost, in the quote currency'),
  returnPercent: figureOrNull('profit in percent of what was invested'),
  r: figureOrNull('profit as a multiple of what was at risk to the first stop; null without a stop'),
  invested: decimal('what the entries cost, without leverage and fees'),
  entered: decimal('quantity of the entries'),
  exited: decimal('quantity of the exits'),
  averageEntry: decimal('average price of the entries').allow(null),
  averageExit: decimal('average price of the exits; null without one').allow(null),
  left: decimal('what is still held, such as dust'),
  funding: decimal('funding and interest received (above 0) or paid, which are part of the profit'),
  fees: list(
    objectField(
      {
        asset: text('asset'),
        amount: decimal('amount'),
        value: decimal(
          'its value in the quote currency; null where its price was unknown, and then it is not part of the profit',
        ).allow(null),
      },
      'fees in an asset',
    ),
    'fees by asset',
  ),
  entrySlippagePercent: figureOrNull(
    'how much worse than the entry prices of the signal the entries filled, in percent',
  ),
  exitSlippagePercent: figureOrNull('how much worse than targets and stop the exits filled, in percent'),
  deliverySlippagePercent: figureOrNull(
    'how much worse than the market price when the signal reached you its entries filled, in percent; null where that price is not known',
  ),
  openedAt: date('first fill'),
  closedAt: date('last fill'),
  heldSeconds: count('time between them'),
};

const tradeView = (trade: BookedTrade): TradeView => ({
  ...shownOf(tradeFields, trade),
  parent_signal_id: trade.signalId,
  channel: trade.channelId,
  funding: trade.funding ?? '0',
  heldSeconds: Math.max(0, Math.round((trade.closedAt.getTime() - trade.openedAt.getTime()) / 1_000)),
});

const input = Joi.object<object>({});

export const listPartnerChannels = definePartnerOperation({
  id: 'list-partner-channels',
  summary:
    'Your channels, the oldest first, with what came of their signals; it holds no figures of accounts.',
  counts: 'commands',
  input,
  output: answerOf({
    channels: list(
      objectField(
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

const filters = keysOf({
  asset: { ...assetField, text: 'only trades of this asset' },
  since: field.time('only trades that closed then or later, UTC'),
});

export const listTrades = defineOperation({
  id: 'list-trades',
  summary: 'Your closed trades, the last one first, with the result of each.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  isLight: true,
  input: Joi.object<PageInput & { asset?: string; channel?: string; since?: number }>({
    asset: filters.asset.optional(),
    channel: Joi.string().max(100).description('only trades of signals of the channel with this name or id'),
    since: filters.since.optional(),
    ...pageOf(200, 50),
  }),
  output: answerOf({
    trades: list(objectField(tradeFields, 'a trade'), 'the last one first'),
    nextCursor: text('cursor of the next page; null at the end').allow(null),
  }),
  leadsTo: [{ to: 'get-followed-signal', fields: { parent_signal_id: 'payload/trades/0/parent_signal_id' } }],
  async handle({ asset, channel, since, limit, cursor }, { storage }, { user }) {
    const after = placeOf(readCursor(cursor, /^\d{1,15} [\w:-]{1,120}$/));
    const from = since === undefined ? undefined : new Date(since);
    const query = { userId: user!.userId, asset, since: from, after, limit: limit + 1 };
    const tradesOf = (channelId: string | undefined) => storage.trades.ofUser({ ...query, channelId });
    // Trades stay when their channel is gone.
    const own = channel === undefined ? [] : await tradesOf(channel);
    const found = own.length > 0 ? own : await tradesOf(await channelFilter(channel, storage));
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const isMore = found.length > limit && last !== undefined;
    return {
      payload: {
        trades: page.map(tradeView),
        nextCursor: writeCursor(isMore ? `${last.closedAt.getTime()} ${last.id}` : null),
      },
    };
  },
});

function placeOf(place: string | undefined): TradePlace | undefined {
  if (place === undefined) return undefined;
  const [closedMs, id] = place.split(' ');
  return { closedAt: new Date(Number(closedMs)), id };
}
