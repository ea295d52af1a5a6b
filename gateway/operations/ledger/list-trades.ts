import Joi from 'joi';
import { assetField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import type { TradePlace } from '../../../storage/ledger/booked-trades.js';
import { defineOperation } from '../../operation.js';
import { list, objectField, text } from '../output-fields.js';
import { pageOf, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import { tradeFields, tradeView, type TradeView } from './trade-fields.js';

interface TradesInput extends PageInput {
  asset?: string;
  channel?: string;
  since?: number;
}

interface TradesOutput {
  trades: TradeView[];
  nextCursor: string | null;
}

const filters = keysOf({
  asset: { ...assetField, text: 'only trades of this asset' },
  since: field.time('only trades that closed then or later, UTC'),
});

/** The user's closed trades. */
export const listTrades = defineOperation<TradesInput, TradesOutput>({
  id: 'list-trades',
  summary: 'Your closed trades, the last one first, with the result of each.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 1,
  isLight: true,
  input: Joi.object<TradesInput>({
    asset: filters.asset.optional(),
    channel: Joi.string().max(100).description('only trades of signals of this channel'),
    since: filters.since.optional(),
    ...pageOf(200, 50),
  }),
  output: Joi.object<TradesOutput, true>({
    trades: list(objectField(tradeFields, 'a trade'), 'the last one first'),
    nextCursor: text('cursor of the next page; null at the end').allow(null),
  }),
  leadsTo: [{ to: 'get-followed-signal', fields: { parent_signal_id: 'payload/trades/0/parent_signal_id' } }],
  async handle({ asset, channel: channelId, since, limit, cursor }, { storage }, { user }) {
    const after = placeOf(readCursor(cursor, /^\d{1,15} [\w:-]{1,120}$/));
    const from = since === undefined ? undefined : new Date(since);
    const query = { userId: user!.userId, asset, channelId, since: from, after };
    const found = await storage.trades.ofUser({ ...query, limit: limit + 1 });
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
