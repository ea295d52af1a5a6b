import { Decimal } from '../../../../compute/model/decimal.js';
import type { PairSymbols } from '../../../../compute/model/market-pair.js';
import type { MarginOrder } from '../../../../compute/paper/margin/margin-account.js';
import { withdrawnReason } from '../cancel-paper-orders.js';

/**
 * Stands for an order that was cancelled before it was placed: a worker that places it later is told that it has ended. Its
 * terms are not known; a quantity of 0 trades nothing.
 */
export const withdrawnOrder = (id: string, pair: PairSymbols, at: number): MarginOrder => ({
  ...{ id, pair, side: 'buy', type: 'limit', price: null, stopPrice: null, quantity: Decimal.zero },
  ...{ bound: null, placedAt: at, owner: '', reduces: true, leverage: 1, mode: 'CROSS' },
  ...{ marginEach: Decimal.zero, isLiquidation: false },
  events: [{ number: 0, kind: 'end', fill: null, end: 'cancelled', reason: withdrawnReason, at }],
});
