import type { FollowedOrder } from '../../../storage/signals/execution-reads.js';
import {
  isOrderEnded,
  type StoredOrder,
  type StoredOrderStatus,
} from '../../../storage/signals/stored-execution.js';
import { text, type Answered, date, oneOf, decimal } from '../output-fields.js';

/** A state of an order as clients see it. */
export type ShownOrderStatus = Exclude<StoredOrderStatus, 'partly_filled'> | 'partially_filled';

/** States of an order, in the order in which it may go through them. */
export const orderStatuses: readonly ShownOrderStatus[] = [
  ...(['planned', 'sent', 'unknown', 'open', 'partially_filled'] as const),
  ...(['filled', 'cancelled', 'rejected', 'expired'] as const),
];

export const shownOrderStatus = (status: StoredOrderStatus): ShownOrderStatus =>
  status === 'partly_filled' ? 'partially_filled' : status;

export const storedOrderStatus = (status: ShownOrderStatus): StoredOrderStatus =>
  status === 'partially_filled' ? 'partly_filled' : status;

/** What a line of the timeline of an order is about. */
const orderSteps = [
  ...([
    'queued',
    'submitted',
    'acknowledged',
    'filled_in_part',
    'filled',
    'retry',
    'cancel_requested',
  ] as const),
  ...(['signal', 'reconciliation', 'ended'] as const),
] as const;

export const orderStepFields = {
  at: date('when; null where the time was not kept').allow(null),
  step: oneOf(orderSteps, 'what it is about'),
  text: text('what happened'),
  quantity: decimal('quantity; null without one').allow(null),
  price: decimal('price; null without one').allow(null),
};

type OrderStep = Answered<typeof orderStepFields>;

/** Types of events that a comparison with the exchange has caused. */
const reconciled = new Set(['sold_elsewhere', 'liquidated', 'settled', 'account_paused', 'account_resumed']);

/**
 * Everything that is known of one order in the order of time: its own facts, its fills, and the lines of the signal about
 * the leg that it executes.
 */
export function orderTimeline({ order, events, exchange }: FollowedOrder): OrderStep[] {
  const step = (
    at: Date | null,
    name: OrderStep['step'],
    text: string,
    more: Partial<OrderStep> = {},
  ): OrderStep => ({ at: at?.toISOString() ?? null, step: name, text, quantity: null, price: null, ...more });
  const {
    createdAt,
    sentAt,
    acknowledgedAt = null,
    exchangeOrderId,
    attempts,
    retryAt,
    reason,
    updatedAt,
  } = order;
  const first = [
    step(createdAt, 'queued', 'the order was stored', { quantity: order.quantity, price: order.price }),
    ...(order.status === 'planned'
      ? []
      : [step(sentAt ?? createdAt, 'submitted', `it was sent to ${exchange}`)]),
    ...(exchangeOrderId === null && acknowledgedAt === null
      ? []
      : [step(acknowledgedAt, 'acknowledged', takenText(exchange, exchangeOrderId))]),
  ];
  const later = [
    ...fillSteps(order, step),
    ...events.map(({ at, type, cause, figures }) =>
      step(at, reconciled.has(type) ? 'reconciliation' : 'signal', `${type}: ${cause}`, {
        quantity: figures.quantity ?? null,
        price: figures.price ?? null,
      }),
    ),
    ...(attempts > 0 ? [step(updatedAt, 'retry', retryText(order, exchange, retryAt))] : []),
    ...(order.cancelWanted ? [step(updatedAt, 'cancel_requested', 'it is to be cancelled')] : []),
    ...(isOrderEnded(order)
      ? [step(updatedAt, 'ended', `${shownOrderStatus(order.status)}${reason === null ? '' : `: ${reason}`}`)]
      : []),
  ];
  return [...first, ...later.sort((one, other) => (one.at! < other.at! ? -1 : one.at! > other.at! ? 1 : 0))];
}

const takenText = (exchange: string, id: string | null): string =>
  `${exchange} has taken it${id === null ? '' : ` as ${id}`}`;

type MakeStep = (at: Date, name: OrderStep['step'], text: string, more: Partial<OrderStep>) => OrderStep;

const fillSteps = ({ fills, status }: StoredOrder, step: MakeStep): OrderStep[] =>
  fills.map(({ at, quantity, price, tradeId }, n) => {
    const isLast = status === 'filled' && n === fills.length - 1;
    return step(at, isLast ? 'filled' : 'filled_in_part', `trade ${tradeId}`, { quantity, price });
  });

const retryText = ({ attempts, reason }: StoredOrder, exchange: string, retryAt: Date | null): string =>
  [
    `${exchange} was asked ${attempts} ${attempts === 1 ? 'time' : 'times'} in a row without an answer`,
    ...(reason === null ? [] : [reason]),
    ...(retryAt === null ? [] : [`it is asked again at ${retryAt.toISOString()}`]),
  ].join('; ');

const failed = new Set<StoredOrder['status']>(['rejected', 'cancelled', 'expired', 'unknown']);

/** Why an order was not filled as placed, in words; null where it was, or still can be. */
export function orderFailure({ order, events, exchange }: FollowedOrder): string | null {
  if (!failed.has(order.status)) return null;
  if (order.status === 'unknown')
    return `${exchange} does not say what became of it${order.reason === null ? '' : `: ${order.reason}`}; it is looked up until it does`;
  const told = order.reason ?? events.findLast(({ type }) => type !== 'bought' && type !== 'sold')?.cause;
  const filled = Number(order.filled) > 0 ? ` after ${order.filled} of ${order.quantity} were filled` : '';
  if (order.status === 'rejected') return `${exchange} refused it${filled}: ${told ?? 'it gave no reason'}`;
  if (order.status === 'expired') return `${exchange} ended it${filled}: ${told ?? 'it gave no reason'}`;
  return `it was taken back${filled}: ${told ?? 'the signal no longer wanted it'}`;
}
