import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { list, objectField } from '../output-fields.js';
import {
  eventFields,
  eventView,
  followedSignalFields,
  followedSignalView,
  orderFields,
  orderView,
  unknownFollowedSignal,
  type EventView,
  type FollowedSignalView,
  type OrderView,
} from './followed-fields.js';

interface FollowedSignalInput {
  parent_signal_id: string;
}

interface FollowedSignalOutput extends FollowedSignalView {
  orders: OrderView[];
  events: EventView[];
}

/** A signal that was delivered to the user, with its orders and timeline. */
export const getFollowedSignal = defineOperation<FollowedSignalInput, FollowedSignalOutput>({
  id: 'get-followed-signal',
  summary: 'A signal that was delivered to you, with its orders and every event of its execution.',
  scope: 'user',
  cost: 1,
  isLight: true,
  input: Joi.object<FollowedSignalInput, true>({
    parent_signal_id: Joi.string().max(100).required().description('id of the signal'),
  }),
  output: Joi.object<FollowedSignalOutput, true>({
    ...followedSignalFields,
    orders: list(objectField(orderFields, 'an order'), 'the oldest first'),
    events: list(eventFields, 'the oldest first'),
  }),
  errors: ['unknown_signal'],
  async handle({ parent_signal_id: id }, { storage }, { user }) {
    const execution = await storage.executionReads.find(user!.userId, id);
    const [signal] = execution ? await storage.signals.ofIds([id]) : [];
    if (!execution || !signal) throw unknownFollowedSignal(id);
    return {
      payload: {
        ...followedSignalView(execution, signal),
        orders: execution.orders.map((order) => orderView({ ...execution, order, events: [] })),
        events: execution.events.map(eventView),
      },
    };
  },
});
