import { countOf } from '../../../compute/model/count-of.js';
import { listOrders } from '../../operations/signals/list-orders.js';
import { defineTool } from '../tool.js';

export const listOrdersTool = defineTool({
  name: 'list_orders',
  operation: listOrders,
  headline: ({ orders, nextCursor }) =>
    `${countOf(orders.length, 'order')}, those of the newest signals first${nextCursor === null ? '' : '; more with next_cursor'}.`,
});
