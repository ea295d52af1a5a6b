import Joi from 'joi';
import { assetField } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { keysOf, writtenChoice } from '../../../jobs/definitions/shared/field-schema.js';
import type { OrderPlace } from '../../../storage/signals/execution-reads.js';
import { defineOperation } from '../../operation.js';
import { list, objectField, text } from '../output-fields.js';
import { orderFields, orderView, type OrderView } from './followed-fields.js';
import { orderStatuses, storedOrderStatus, type ShownOrderStatus } from './order-statuses.js';
import { pageOf, readCursor, writeCursor, type PageInput } from '../page-cursor.js';

interface OrdersInput extends PageInput {
  status?: ShownOrderStatus;
  asset?: string;
  exchange?: string;
}

interface OrdersOutput {
  orders: OrderView[];
  nextCursor: string | null;
}

const filters = keysOf({
  asset: { ...assetField, text: 'only orders of this asset' },
  exchange: field.text('only orders on this exchange', { maxLength: 40, means: 'exchange' }),
});

/** The orders that signals have led to on the user's accounts. */
export const listOrders = defineOperation<OrdersInput, OrdersOutput>({
  id: 'list-orders',
  summary: 'Your orders, those of the newest signals first, each with the signal that it belongs to.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 1,
  isLight: true,
  input: Joi.object<OrdersInput>({
    status: writtenChoice(orderStatuses).description('only orders of this state'),
    asset: filters.asset.optional(),
    exchange: filters.exchange.optional(),
    ...pageOf(200, 50),
  }),
  output: Joi.object<OrdersOutput, true>({
    orders: list(objectField(orderFields, 'an order'), 'those of the newest signals first'),
    nextCursor: text('cursor of the next page; null at the end').allow(null),
  }),
  leadsTo: [{ to: 'get-order', fields: { id: 'payload/orders/0/id' } }],
  async handle({ cursor, status: shown, ...asked }, { storage }, { user }) {
    const query = { ...asked, status: shown && storedOrderStatus(shown) };
    const after = placeOf(readCursor(cursor, /^[\w:-]{1,120} \d{1,6}$/));
    const { orders, next } = await storage.executionReads.orders({ userId: user!.userId, after, ...query });
    const nextCursor = writeCursor(next && `${next.executionId} ${next.index}`);
    return { payload: { orders: orders.map(orderView), nextCursor } };
  },
});

function placeOf(text: string | undefined): OrderPlace | undefined {
  if (text === undefined) return undefined;
  const [executionId, index] = text.split(' ');
  return { executionId, index: Number(index) };
}
