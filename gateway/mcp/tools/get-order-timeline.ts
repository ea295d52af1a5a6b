import { getOrder } from '../../operations/signals/get-order.js';
import { defineTool } from '../tool.js';

export const getOrderTimelineTool = defineTool({
  name: 'get_order_timeline',
  operation: getOrder,
  argumentNames: { id: 'orderId' },
  headline: ({ id, side, asset, tradeMarket, quantity, filled, status, failure }) =>
    `Order ${id} (${side} ${quantity} ${asset}/${tradeMarket}) is ${status}, ${filled} filled.${failure === null ? '' : ` ${failure}.`}`,
});
