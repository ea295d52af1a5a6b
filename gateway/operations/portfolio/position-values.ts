import type { Values } from '../../../compute/model/field.js';
import type { AccountPosition } from './account-positions.js';
import type { positionFields } from './position-fields.js';

/** A position as answers show it. */
export function positionValues(position: AccountPosition): Values<typeof positionFields> {
  const { asset, exchange, account, tradeMarket, side, quantity, averageEntry, price, change24h, pnl } =
    position;
  const value = price === null ? null : price * quantity;
  return {
    asset,
    exchange,
    account,
    tradeMarket,
    side,
    quantity,
    averageEntry,
    price,
    change24h,
    value,
    pnl,
  };
}
