import Joi from 'joi';
import { type AppError, fieldError } from '../../../compute/model/errors.js';
import type { FollowedExecution, FollowedOrder } from '../../../storage/signals/execution-reads.js';
import type { PartnerSignal } from '../../../storage/signals/partner-signal.js';
import {
  isOrderEnded,
  type ExecutionLine,
  type StoredOrder,
} from '../../../storage/signals/stored-execution.js';
import {
  count,
  date,
  flag,
  list,
  objectField,
  oneOf,
  text,
  type ValueOf,
  decimal,
  type Answered,
  shownOf,
} from '../output-fields.js';
import { orderStatuses, shownOrderStatus } from './order-timeline.js';
import { presentTerms, executionStatuses } from './signal-view.js';

/** A signal that was delivered to the user, with the state of its execution. */
export type FollowedSignalView = Answered<typeof followedSignalFields>;

export type EventView = ValueOf<typeof eventFields>;

export type OrderView = Answered<typeof orderFields>;

export const followedSignalFields = {
  parent_signal_id: text('id of the signal'),
  channel: text('id of the channel'),
  exchange: text('exchange on which it is executed'),
  source: text('market whose prices it follows; demo: a made-up market'),
  asset: text('asset symbol'),
  tradeMarket: text('quote currency'),
  side: oneOf(['long', 'short'], 'direction'),
  leverage: count('multiplier'),
  entries: list(
    objectField(
      {
        price: decimal('worst price of the order'),
        zoneEnd: decimal('other end of the zone; null without one').allow(null),
        percent: decimal('percent of the investment'),
      },
      'an entry',
    ),
    'entries, with the prices they have now',
  ),
  targets: list(decimal('a target'), 'targets'),
  stopLoss: decimal('stop of the signal; null without one').allow(null),
  status: oneOf(executionStatuses, 'state of the execution'),
  reason: text('why it was skipped, rejected or ended, or cannot be sold now; null while it is not').allow(
    null,
  ),
  isExecuted: flag('whether anything was bought or sold for it; if not, `reason` says why once it has ended'),
  targetsHit: count('targets of the execution that were reached and sold'),
  isCancelled: flag('whether the partner has cancelled the signal'),
  createdAt: date('when the partner created it'),
  deliveredAt: date('when it was delivered to you'),
  endedAt: date('when the execution ended; null before').allow(null),
};

export const eventFields = objectField(
  {
    at: date('when'),
    type: text('what happened'),
    cause: text('why, in words').allow(''),
    figures: Joi.object()
      .pattern(Joi.string(), Joi.string().allow(''))
      .required()
      .description('the figures that it moved, by name'),
  },
  'an event',
);

export const orderFields = {
  id: text('client order id'),
  parent_signal_id: text('id of the signal it belongs to'),
  channel: text('id of the channel'),
  exchange: text('exchange'),
  source: text('market whose prices it follows; demo: a made-up market'),
  asset: text('asset symbol'),
  tradeMarket: text('quote currency'),
  leg: text('part of the signal that it executes, as in entry-1'),
  side: oneOf(['buy', 'sell'], 'direction'),
  type: oneOf(['limit', 'market', 'stop'], 'type'),
  price: decimal('limit price; null at market').allow(null),
  stopPrice: decimal('trigger of a stop order; null for others').allow(null),
  quantity: decimal('quantity'),
  filled: decimal('quantity that is filled'),
  status: oneOf(orderStatuses, 'state'),
  reason: text('why the exchange refused it; null if it did not').allow(null),
  exchangeOrderId: text('id at the exchange; null before it is known').allow(null),
  createdAt: date('when it was stored'),
  sentAt: date('when it was sent to the exchange the last time; null before').allow(null),
  acknowledgedAt: date(
    'when the exchange first said that it has it; null before, and where that was not kept',
  ).allow(null),
  firstFillAt: date('time of its first trade, by the clock of the exchange; null before').allow(null),
  endedAt: date('when it was known that nothing more happens to it; null before').allow(null),
  updatedAt: date('when it changed last'),
};

const isoOrNull = (time: Date | null): string | null => (time === null ? null : time.toISOString());

export function followedSignalView(execution: FollowedExecution, signal: PartnerSignal): FollowedSignalView {
  const terms = presentTerms(signal);
  return {
    parent_signal_id: signal.id,
    channel: signal.channelId,
    exchange: execution.exchange,
    source: execution.market,
    asset: terms.coin,
    tradeMarket: terms.quote,
    side: terms.side,
    leverage: terms.leverage,
    entries: terms.entries.map(({ price, zoneEnd, percent }) => ({ price, zoneEnd, percent })),
    targets: terms.targets,
    stopLoss: terms.stopLoss,
    status: execution.status,
    reason: execution.reason,
    isExecuted: Number(execution.state?.position.entered ?? 0) > 0,
    targetsHit: execution.state?.targets.filter(({ state }) => state === 'done').length ?? 0,
    isCancelled: signal.status === 'cancelled',
    createdAt: signal.createdAt.toISOString(),
    deliveredAt: execution.createdAt.toISOString(),
    endedAt: isoOrNull(execution.endedAt),
  };
}

export const eventView = ({ at, type, cause, figures }: ExecutionLine): EventView => ({
  at: at.toISOString(),
  type,
  cause,
  figures,
});

type OrderTimes = Pick<OrderView, 'sentAt' | 'acknowledgedAt' | 'firstFillAt' | 'endedAt'>;

function orderTimes(order: StoredOrder): OrderTimes {
  const { status, createdAt, sentAt = createdAt, acknowledgedAt = null, fills, updatedAt } = order;
  const first = fills.length === 0 ? null : Math.min(...fills.map(({ at }) => at.getTime()));
  return {
    sentAt: status === 'planned' ? null : sentAt.toISOString(),
    acknowledgedAt: isoOrNull(acknowledgedAt),
    firstFillAt: first === null ? null : new Date(first).toISOString(),
    endedAt: isOrderEnded(order) ? updatedAt.toISOString() : null,
  };
}

export function orderView({ order, signalId, channelId, exchange, market, pair }: FollowedOrder): OrderView {
  const [asset, tradeMarket] = pair.split('/');
  return {
    ...shownOf(orderFields, order),
    id: order.clientOrderId,
    parent_signal_id: signalId,
    channel: channelId,
    exchange,
    source: market,
    asset,
    tradeMarket,
    status: shownOrderStatus(order.status),
    ...orderTimes(order),
  };
}

export const unknownFollowedSignal = (id: string): AppError =>
  fieldError('parent_signal_id', `no signal "${id}" was delivered to you`, 'unknown_signal');

export const unknownOrder = (id: string): AppError =>
  fieldError('id', `you have no order "${id}"`, 'unknown_order');
