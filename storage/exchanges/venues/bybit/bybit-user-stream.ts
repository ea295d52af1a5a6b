import { createHmac } from 'node:crypto';
import type { bybit as Bybit } from 'ccxt';
import { streamText } from '../../stream-text.js';
import type { OrderNews, UserMessage, VenueUserStream } from '../../venue-user-stream.js';

/** How long a signature is valid. */
const signedMs = 10_000;

/**
 * One connection for each account, whatever its kind of market: bybit-exchange.github.io/docs/v5/ws/connect (authentication, and a
 * ping each 20 seconds) and the pages "Order", "Execution", "Wallet" and "Position" of its private topics.
 */
export const bybitUserStream: VenueUserStream<Bybit> = {
  parts: { account: ['SPOT', 'MARGIN', 'FUTURES'] },
  ping: (id) => ({ req_id: id, op: 'ping' }),

  open: async (client) => ({
    url: 'wss://stream.bybit.com/v5/private',
    requests: [
      (id) => {
        const expires = client.milliseconds() + signedMs;
        const signature = createHmac('sha256', client.secret).update(`GET/realtime${expires}`).digest('hex');
        return { req_id: id, op: 'auth', args: [client.apiKey, expires, signature] };
      },
      (id) => ({ req_id: id, op: 'subscribe', args: ['order', 'execution', 'wallet', 'position'] }),
    ],
  }),

  read(message): UserMessage {
    const { op, success, ret_msg, topic, data } = message as BybitMessage;
    if (op === 'ping' || op === 'pong') return 'upkeep';
    if (op === 'auth' || op === 'subscribe')
      return { reply: success === true ? {} : { refused: streamText(ret_msg) } };
    const rows = Array.isArray(data) ? (data as BybitRow[]) : [];
    if (topic === 'order') return { news: { orders: rows.map(orderOf) } };
    if (topic === 'execution') return { news: { orders: rows.map(tradeOf) } };
    return topic === 'wallet' || topic === 'position' ? { news: { moved: 'by orders' } } : null;
  },
};

/** "orderStatus" of bybit-exchange.github.io/docs/v5/enum: those of orders that have ended. */
const ended: ReadonlySet<unknown> = new Set([
  'Rejected',
  'PartiallyFilledCanceled',
  'Filled',
  'Cancelled',
  'Deactivated',
]);

const orderOf = ({ orderLinkId, orderStatus }: BybitRow): OrderNews => ({
  clientOrderId: streamText(orderLinkId),
  tradeId: null,
  isEnded: ended.has(orderStatus),
});

const tradeOf = ({ orderLinkId, execId }: BybitRow): OrderNews => ({
  clientOrderId: streamText(orderLinkId),
  tradeId: streamText(execId),
  isEnded: false,
});

type BybitMessage = Partial<Record<'op' | 'success' | 'ret_msg' | 'topic' | 'data', unknown>>;
type BybitRow = Partial<Record<'orderLinkId' | 'orderStatus' | 'execId', unknown>>;
