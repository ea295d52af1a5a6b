import type { listOrders } from '../../../../operations/signals/list-orders.js';
import { decidedArgs } from '../../decided-args.js';
import { writeNumber, writePrice } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { firstOf, lengthInWords, sentence } from '../../market-words.js';
import { oneLine } from '../../one-line.js';
import { listedOrderStatus } from '../../listed-order-status.js';
import type { OutputOf } from '../../output-of.js';

type OrderList = OutputOf<typeof listOrders>;

type OrderLine = OrderList['orders'][number];

const mostTold = 5;

export const ordersIntent = defineIntent<OrderList>({
  name: 'orders',
  title: 'your orders and their state',
  tool: 'list_orders',
  phrases: [
    'my open orders',
    'any {status} orders',
    'orders on {asset}',
    'show {status} orders on {exchange}',
    'which of my orders are only partly filled',
    'list my last {count} orders',
    'what is still waiting to be filled',
    'did i get filled on {asset}',
    'which orders stand in the book',
    'order list',
    'were any of my orders refused',
    'show all my orders',
    'pending {asset} orders',
    'have any of my orders been turned down',
    'did my order go through',
    'did my limit get hit',
    'what is sitting in the book for me',
    'which orders failed',
    'any orders still open',
    'what orders do i have on {asset}',
    'outstanding orders',
    'are there unfilled orders',
    'which orders were cancelled',
    'my latest orders',
    'resting orders on {exchange}',
    'did anything get filled today',
    'bounced orders',
    'has my {asset} buy filled',
    'show everything that got cancelled',
    'did my {asset} order fill',
    'what orders are waiting in the book',
    'orders with {status}',
    'did any orders fail',
    'cancelled {asset} orders on {exchange}',
    '{status} orders',
    'have my {asset} orders been filled',
    'list orders that did not go through',
    'all orders for {asset}',
    'orders on {exchange}',
    'my last {count} orders',
    'only the {status} ones',
    'show my orders',
    'what orders do i still have open on {asset}',
  ],
  needs: {},
  takes: ['status', 'asset', 'exchange', 'count'],
  yields: ['declined-action'],
  args: ({ status, asset, exchange, count }) =>
    decidedArgs({ status: listedOrderStatus(status), asset, exchange, limit: count }),
  answer: ({ orders, nextCursor }, { status, asset }) => {
    const what = `${status === undefined ? '' : ` ${status.replaceAll('_', ' ')}`} orders${asset === undefined ? '' : ` in ${asset}`}`;
    if (orders.length === 0) return { lead: `You have no${what}.` };
    const filled = orders.filter(({ status: state }) => state === 'filled').length;
    return {
      lead: `${orders.length === 1 ? 'There is one' : `There are ${lengthInWords(orders.length)}`}${orders.length === 1 ? what.replace(/orders/, 'order') : what}: ${firstOf(orders.map(orderWords), mostTold)}.`,
      figures: [
        ...refusalWords(orders),
        ...(status === undefined && orders.length > 1
          ? [`${sentence(lengthInWords(filled))} of them ${filled === 1 ? 'is' : 'are'} filled.`]
          : []),
      ],
      ...(nextCursor === null ? {} : { caveat: 'Older orders are left out here.' }),
    };
  },
});

/** "buy 0.5 BTC at 60,000 on BINANCE, open". */
const orderWords = ({
  side,
  quantity,
  asset,
  price,
  stopPrice,
  exchange,
  status,
  filled,
}: OrderLine): string => {
  const at = price ?? stopPrice;
  const part = status === 'partially_filled' ? `, ${writeNumber(filled, 5)} of it filled` : '';
  return `${side} ${writeNumber(quantity, 5)} ${asset} ${at === null ? 'at market' : `at ${writePrice(at)}`} on ${exchange} (${status.replaceAll('_', ' ')}${part})`;
};

const refusalWords = (orders: readonly OrderLine[]): string[] => {
  const told = orders.filter(({ reason }) => reason !== null).slice(0, 2);
  return told.map(({ asset, reason }) => `The ${asset} order was not accepted: ${oneLine(reason!)}.`);
};
