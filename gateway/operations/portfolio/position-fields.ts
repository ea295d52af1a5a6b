import { field, type Values } from '../../../compute/model/field.js';
import { tradeSides } from '../../../compute/model/risk-assessment.js';
import { tradingAccounts } from '../../../compute/model/trading-account.js';
import type { OpenedExecution } from '../../../storage/signals/execution-reads.js';
import type { AccountPosition } from './account-positions.js';
import { shownOf } from '../output-fields.js';

export const quoteOrNull = (text: string) => field.nullable(field.number(text, { unit: 'quote' }));

export const decimalText = (text: string) => field.text(`${text}, a decimal`);

/** What every answer on open positions says of one. */
export const positionFields = {
  asset: field.text('asset symbol'),
  exchange: field.text('name of the exchange'),
  account: field.choice('account on which it is', tradingAccounts),
  tradeMarket: field.text('quote currency'),
  side: field.choice('direction', tradeSides),
  quantity: field.number('size, above 0', { unit: 'base' }),
  averageEntry: quoteOrNull('average price of the entries; null while price or cost is unknown'),
  price: quoteOrNull('newest price; null while it is unknown'),
  change24h: field.nullable(
    field.number('change of the price over 24 hours; null while it is unknown', { unit: 'percent' }),
  ),
  value: quoteOrNull('value at that price; null while it is unknown'),
  pnl: quoteOrNull('unrealised profit or loss; null while price or cost is unknown'),
};

/** Prices at which an execution trades. */
const levelKinds = ['stop', 'trailing_stop', 'target', 'entry', 'rebuy', 'dca', 'liquidation'] as const;

export const levelFields = {
  kind: field.choice('what happens there', levelKinds),
  leg: field.text('part of the signal, as in target-1'),
  price: decimalText('the price'),
  state: field.text('waiting for the price, armed with an order, or standing at the exchange (resting)'),
  orderId: field.nullable(field.text('client order id of the order that stands for it; null without one')),
  distancePercent: field.nullable(
    field.number('distance from the newest price, below 0 for a lower one; null without a price', {
      unit: 'percent',
    }),
  ),
  distanceAtr: field.nullable(
    field.number('the same distance; null without a price or ATR', { unit: 'atr' }),
  ),
};

type PositionLevel = Values<typeof levelFields>;

/** How far a price is from the newest one. */
export type DistanceOf = (price: string) => Pick<PositionLevel, 'distancePercent' | 'distanceAtr'>;

export const distanceFrom =
  (price: number | null, atr: number | null): DistanceOf =>
  (level) => {
    const away = price === null ? null : Number(level) - price;
    return {
      distancePercent: away === null || !price ? null : (100 * away) / price,
      distanceAtr: away === null || !atr ? null : away / atr,
    };
  };

const waiting = new Set(['waiting', 'armed']);
const standing = new Set(['open', 'partly_filled']);

/** The stop, targets and further entries of an execution that are still to come, with how far they are away. */
export function comingLevels(
  { state, orders }: Pick<OpenedExecution, 'state' | 'orders'>,
  distanceOf: DistanceOf,
): PositionLevel[] {
  if (!state) return [];
  const orderOf = (leg: string) =>
    orders.findLast((order) => order.leg === leg && standing.has(order.status))?.clientOrderId ?? null;
  const level = (kind: PositionLevel['kind'], leg: string, price: string, legState: string) => {
    const orderId = orderOf(leg);
    return { kind, leg, price, state: orderId ? 'resting' : legState, orderId, ...distanceOf(price) };
  };
  const { stop, targets, entries } = state;
  return [
    ...(stop ? [level(stop.trailing ? 'trailing_stop' : 'stop', 'stop', stop.trigger, 'waiting')] : []),
    ...targets
      .filter((leg) => waiting.has(leg.state))
      .map((leg) => level('target', leg.id, leg.price, leg.state)),
    ...entries
      .filter((leg) => waiting.has(leg.state))
      .map((leg) => level(leg.kind, leg.id, leg.price, leg.state)),
  ];
}

/** A position as answers show it. */
export const positionValues = (position: AccountPosition): Values<typeof positionFields> => ({
  ...shownOf(positionFields, position),
  value: position.price === null ? null : position.price * position.quantity,
});
