import type Joi from 'joi';
import type { BookedTrade } from '../../../storage/ledger/booked-trade.js';
import { count, date, figureOrNull, list, objectField, oneOf, text } from '../output-fields.js';
import { executionStatuses } from '../signals/signal-view.js';

/** A closed trade, as its user sees it. */
export interface TradeView {
  parent_signal_id: string;
  channel: string;
  exchange: string;
  asset: string;
  tradeMarket: string;
  side: string;
  leverage: number;
  status: string;
  reason: string | null;
  profit: string;
  returnPercent: number | null;
  r: number | null;
  invested: string;
  entered: string;
  exited: string;
  averageEntry: string | null;
  averageExit: string | null;
  left: string;
  funding: string;
  fees: { asset: string; amount: string; value: string | null }[];
  entrySlippagePercent: number | null;
  exitSlippagePercent: number | null;
  deliverySlippagePercent: number | null;
  openedAt: string;
  closedAt: string;
  heldSeconds: number;
}

const decimal = (description: string) => text(`${description}, a decimal`);

export const tradeFields: Joi.StrictSchemaMap<TradeView> = {
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
    objectField<TradeView['fees'][number]>(
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

export function tradeView(trade: BookedTrade): TradeView {
  const { signalId, channelId, exchange, asset, tradeMarket, side, leverage, status, reason } = trade;
  const { profit, returnPercent, r, invested, entered, exited, averageEntry, averageExit, left } = trade;
  const { funding = '0', fees, entrySlippagePercent, exitSlippagePercent, openedAt, closedAt } = trade;
  const { deliverySlippagePercent } = trade;
  return {
    parent_signal_id: signalId,
    channel: channelId,
    exchange,
    asset,
    tradeMarket,
    side,
    leverage,
    status,
    reason,
    profit,
    returnPercent,
    r,
    invested,
    entered,
    exited,
    averageEntry,
    averageExit,
    left,
    funding,
    fees,
    entrySlippagePercent,
    exitSlippagePercent,
    deliverySlippagePercent,
    openedAt: openedAt.toISOString(),
    closedAt: closedAt.toISOString(),
    heldSeconds: Math.max(0, Math.round((closedAt.getTime() - openedAt.getTime()) / 1_000)),
  };
}
