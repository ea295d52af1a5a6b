import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { date, list, objectField, oneOf, text } from '../output-fields.js';
import {
  eventFields,
  eventView,
  orderFields,
  orderView,
  unknownOrder,
  type EventView,
  type OrderView,
} from './followed-fields.js';
import { orderFailure, orderSteps, orderTimeline, type OrderStep } from './order-timeline.js';

interface OrderInput {
  id: string;
}

interface FillView {
  tradeId: string;
  quantity: string;
  price: string;
  baseFee: string;
  quoteFee: string;
  at: string;
}

interface OrderOutput extends OrderView {
  fills: FillView[];
  events: EventView[];
  timeline: OrderStep[];
  failure: string | null;
}

const decimal = (description: string) => text(`${description}, a decimal`);

/** One order of the user with its fills and events. */
export const getOrder = defineOperation<OrderInput, OrderOutput>({
  id: 'get-order',
  summary: 'One of your orders, with its fills and every event of the part of the signal that it executes.',
  scope: 'user',
  tokenScope: 'read:portfolio',
  cost: 1,
  isLight: true,
  input: Joi.object<OrderInput, true>({
    id: Joi.string().max(100).required().description('client order id'),
  }),
  output: Joi.object<OrderOutput, true>({
    ...orderFields,
    fills: list(
      objectField<FillView>(
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
      objectField<OrderStep>(
        {
          at: date('when; null where the time was not kept').allow(null),
          step: oneOf(orderSteps, 'what it is about'),
          text: text('what happened'),
          quantity: decimal('quantity; null without one').allow(null),
          price: decimal('price; null without one').allow(null),
        },
        'a step',
      ),
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
