import type { BookOrder, BookTrade } from '../book/book-order.js';
import { contractIdOf, contractsIn, spotIdOf } from '../kucoin/kucoin-symbols.js';
import { bullet, kucoinOrderId } from '../kucoin/kucoin-orders.js';
import type { Endpoint } from '../rest/rest-call.js';
import type { PrivateDialect, PrivateTools } from './private-dialect.js';
import { streamKeysOf } from './stream-keys.js';

/** "Apply Connect Token": it expires in 24 hours, "but remains valid if there is no disconnection". */
const validMs = 86_400_000;

/** Spot and futures have addresses of their own, which here is one: the address of the connection tells them apart. */
export const kucoinStreamEndpoints: Record<string, Endpoint> = {
  'POST /api/v1/bullet-private': bullet(({ engine, apiKey, nowMs }) =>
    streamKeysOf(engine).give(apiKey, 'private', { nowMs, validMs, isKept: false }),
  ),
};

/** KuCoin's private channels: base-info/introduction of docs-new, "Order V2" and "Balance" of spot, those of classic futures. */
export const kucoinPrivate: PrivateDialect = {
  welcome: { id: 'private', type: 'welcome' },

  open(path, { keys, nowMs, isRefused }) {
    const [address, query] = path.split('?', 2);
    const params = new URLSearchParams(query);
    const connectId = params.get('connectId') ?? '';
    if (address !== '/endpoint' || !connectId.startsWith('private')) return null;
    const found = keys.accountOf(params.get('token') ?? '', nowMs);
    if (!found || isRefused(found.apiKey)) return 'refused';
    const kinds =
      connectId === 'privateFutures' ? (['futures'] as const) : (['spot', 'margin', 'isolated'] as const);
    return { lines: new Map(), apiKey: found.apiKey, kinds };
  },

  answer({ id, type, topic, privateChannel }, connection) {
    if (type === 'ping') return { id, type: 'pong' };
    if (type !== 'subscribe') return null;
    const line = connection.lines.get('');
    const { apiKey, kinds } = connection;
    if (privateChannel !== true)
      return { id, type: 'error', code: 404, data: `topic ${String(topic)} is not found` };
    if (line) line.topics!.add(String(topic));
    else
      connection.lines.set('', {
        ...{ apiKey: apiKey!, kinds: kinds!, topics: new Set([String(topic)]), token: null },
      });
    return { id, type: 'ack' };
  },

  tell(change, { kinds, topics, apiKey }, tools) {
    const isFutures = kinds.includes('futures');
    const of = (topic: string, subject: string, data: object) =>
      topics!.has(topic)
        ? [{ topic, type: 'message', subject, channelType: 'private', userId: apiKey, data }]
        : [];
    if ('order' in change) {
      if (!kinds.includes(change.order.request.kind)) return [];
      const topic = isFutures ? '/contractMarket/tradeOrders' : '/spotMarket/tradeOrders';
      return rowsOf(change.order, change.trade, tools).flatMap((row) => of(topic, 'orderChange', row));
    }
    if (!kinds.includes(change.kind)) return [];
    const { asset: currency, isByOrder } = change;
    const at = String(Math.floor(tools.nowMs));
    if (isFutures)
      return of('/contractAccount/wallet', 'walletBalance.change', { currency, version: at, timestamp: at });
    const relationEvent = isByOrder ? 'trade_hf.setted' : 'main.transfer';
    return of('/account/balance', 'account.balance', { currency, relationEvent, time: at });
  },
};

/** A trade that fills the order is told as "match", and then the order as "filled". */
function rowsOf(order: BookOrder, trade: BookTrade | null, { engine, nowMs }: PrivateTools): object[] {
  const { request, status, quantity, executed, price, side } = { ...order, side: order.request.side };
  const pair = engine.pairOf(request.symbol);
  const isFutures = request.kind === 'futures';
  const amount = (value: BookOrder['quantity']) =>
    isFutures ? String(contractsIn(value, pair)) : String(value);
  const about = {
    ...{ symbol: isFutures ? contractIdOf(pair) : spotIdOf(pair), side: side.toLowerCase() },
    ...{
      orderType: price ? 'limit' : 'market',
      orderId: kucoinOrderId(order),
      clientOid: request.clientOrderId,
    },
    ...{ size: amount(quantity), filledSize: amount(executed), price: String(price ?? 0) },
    ...{ orderTime: order.time, ts: Math.floor(nowMs) * 1_000_000 },
  };
  const match = trade && {
    ...{ ...about, type: 'match', status: 'match', liquidity: trade.isMaker ? 'maker' : 'taker' },
    ...{ matchSize: amount(trade.quantity), matchPrice: String(trade.price) },
    tradeId: isFutures ? `fill${trade.id}` : String(1_000_000 + trade.id),
  };
  if (match) return status === 'FILLED' ? [match, { ...about, type: 'filled', status: 'done' }] : [match];
  return [
    { ...about, ...(order.isOpen ? { type: 'open', status: 'open' } : { type: 'canceled', status: 'done' }) },
  ];
}
