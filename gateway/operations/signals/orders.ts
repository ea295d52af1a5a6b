import Joi from 'joi';
import { assetField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { keysOf, objectSchema, writtenChoice } from '../../../jobs/definitions/shared/field-schema.js';
import type { OrderPlace } from '../../../storage/signals/execution-reads.js';
import { defineOperation } from '../../operation.js';
import { list, objectField, text, date, decimal, answerOf } from '../output-fields.js';
import { orderFields, orderView, eventFields, eventView, unknownOrder } from './followed-fields.js';
import { requireConnected } from '../portfolio/account-positions.js';
import { pageOf, readCursor, writeCursor, type PageInput } from '../page-cursor.js';
import {
  orderFailure,
  orderStatuses,
  orderTimeline,
  storedOrderStatus,
  type ShownOrderStatus,
  orderStepFields,
} from './order-timeline.js';

export const getOrder = defineOperation({
  id: 'get-order',
  summary: 'One of your orders, with its fills and every event of the part of the signal that it executes.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  isLight: true,
  input: objectSchema({ id: field.text('client order id', { maxLength: 100 }) }),
  output: answerOf({
    ...orderFields,
    fills: list(
      objectField(
        {
          tradeId: text('id of the trade at the exchange'),
          quantity: decimal('quantity'),
          price: decimal('price'),
          baseFee: decimal('fee in the asset'),
          quoteFee: decimal('fee in quote currency'),
          at: date('when'),
        },
        'a fill',
      ),
      'the oldest first',
    ),
    events: list(eventFields, 'the oldest first'),
    timeline: list(
      objectField(orderStepFields, 'a step'),
      'all that is known of the order, the oldest first',
    ),
    failure: text('why it was not filled as placed; null where it was, or still can be').allow(null),
  }),
  errors: ['unknown_order'],
  async handle({ id }, { storage }, { user }) {
    const found = await storage.executionReads.order(user!.userId, id);
    if (!found) throw unknownOrder(id);
    return {
      payload: {
        ...orderView(found),
        fills: found.order.fills.map(({ at, ...fill }) => ({ ...fill, at: at.toISOString() })),
        events: found.events.map(eventView),
        timeline: orderTimeline(found),
        failure: orderFailure(found),
      },
    };
  },
});

const filters = keysOf({
  asset: { ...assetField, text: 'only orders of this asset' },
  exchange: field.text('only orders on this exchange', { maxLength: 40, means: 'exchange' }),
});

export const listOrders = defineOperation({
  id: 'list-orders',
  summary: 'Your orders, those of the newest signals first, each with the signal that it belongs to.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  isLight: true,
  input: Joi.object<PageInput & { status?: ShownOrderStatus; asset?: string; exchange?: string }>({
    status: writtenChoice(orderStatuses).description('only orders of this state'),
    asset: filters.asset.optional(),
    exchange: filters.exchange.optional(),
    ...pageOf(200, 50),
  }),
  output: answerOf({
    orders: list(objectField(orderFields, 'an order'), 'those of the newest signals first'),
    nextCursor: text('cursor of the next page; null at the end').allow(null),
  }),
  leadsTo: [{ to: 'get-order', fields: { id: 'payload/orders/0/id' } }],
  async handle({ cursor, status: shown, ...asked }, { storage }, { user }) {
    const query = { ...asked, status: shown && storedOrderStatus(shown) };
    const after = placeOf(readCursor(cursor, /^[\w:-]{1,120} \d{1,6}$/));
    const { orders, next } = await storage.executionReads.orders({ userId: user!.userId, after, ...query });
    // Orders stay when their exchange is disconnected.
    if (orders.length === 0 && asked.exchange !== undefined)
      requireConnected(asked.exchange, (await storage.positions.find(user!.userId))?.accounts);
    const nextCursor = writeCursor(next && `${next.executionId} ${next.index}`);
    return { payload: { orders: orders.map(orderView), nextCursor } };
  },
});

function placeOf(text: string | undefined): OrderPlace | undefined {
  if (text === undefined) return undefined;
  const [executionId, index] = text.split(' ');
  return { executionId, index: Number(index) };
}
