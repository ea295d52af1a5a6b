import { listOrders } from '../../operations/signals/list-orders.js';
import { defineTool } from '../tool.js';

export const listOrdersTool = defineTool({
  name: 'list_orders',
  operation: listOrders,
  headline: ({ orders, nextCursor }) =>
    `${orders.length} orders, those of the newest signals first${nextCursor === null ? '' : '; more with next_cursor'}.`,
});
