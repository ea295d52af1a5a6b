import type { kucoin as Kucoin } from 'ccxt';
import { AppError } from '../../../../compute/model/errors.js';
import { streamText } from '../../stream-text.js';
import type { AccountNews, UserMessage, VenueUserStream } from '../../venue-user-stream.js';

const topics = {
  spot: ['/spotMarket/tradeOrders', '/account/balance'],
  futures: ['/contractMarket/tradeOrders', '/contractAccount/wallet', '/contract/positionAll'],
};

/**
 * A connection for spot and margin and one for futures, with a token of `bullet-private` that stays valid while it is connected:
 * kucoin.com/docs-new/websocket-api/base-info/introduction. Topics: "Order V2", "Balance" and the private channels of futures.
 */
export const kucoinUserStream: VenueUserStream<Kucoin> = {
  parts: { spot: ['SPOT'], futures: ['FUTURES'] },
  hasWelcome: true,
  ping: (id) => ({ id, type: 'ping' }),

  async open(client, part) {
    const isFutures = part === 'futures';
    const { data } = (await (isFutures
      ? client.futuresPrivatePostBulletPrivate()
      : client.privatePostBulletPrivate())) as Bullet;
    const endpoint = data?.instanceServers?.[0]?.endpoint;
    if (!data?.token || !endpoint)
      throw new AppError('exchange_unavailable', 'kucoin named no address of its streams');
    const query = new URLSearchParams({
      token: data.token,
      connectId: isFutures ? 'privateFutures' : 'private',
    });
    return {
      url: `${endpoint}?${query.toString()}`,
      isTold: true,
      requests: topics[isFutures ? 'futures' : 'spot'].map((topic) => (id: string) => {
        return { id, type: 'subscribe', topic, privateChannel: true, response: true };
      }),
    };
  },

  read(message): UserMessage {
    const { id, type, topic, subject, data, code } = message as KucoinMessage;
    if (type === 'welcome') return 'welcome';
    if (type === 'pong') return 'upkeep';
    if (type === 'ack') return { reply: { id: streamText(id) } };
    if (type === 'error')
      return { reply: { id: streamText(id), refused: `${streamText(code)}: ${streamText(data)}` } };
    if (type !== 'message' || typeof data !== 'object' || data === null) return null;
    const news = newsOf(streamText(topic), streamText(subject), data);
    return news === 'upkeep' ? news : { news };
  },
};

function newsOf(topic: string, subject: string, row: KucoinRow): AccountNews | 'upkeep' {
  if (topic.endsWith('/tradeOrders'))
    return {
      orders: [
        {
          clientOrderId: streamText(row.clientOid),
          tradeId: row.type === 'match' ? streamText(row.tradeId) : null,
          isEnded: row.status === 'done' || row.type === 'filled' || row.type === 'canceled',
        },
      ],
    };
  // "relationEvent": transfers, deposits and withdrawals have other names than what orders hold and settle ("trade.hold").
  if (topic === '/account/balance')
    return { moved: streamText(row.relationEvent).startsWith('trade') ? 'by orders' : 'otherwise' };
  // A position is told again with each mark price.
  return subject === 'position.change' && row.changeReason === 'markPriceChange'
    ? 'upkeep'
    : { moved: 'by orders' };
}

interface Bullet {
  data?: { token?: string; instanceServers?: { endpoint?: string }[] };
}

type KucoinMessage = Partial<Record<'id' | 'type' | 'topic' | 'subject' | 'data' | 'code', unknown>>;
type KucoinRow = Partial<
  Record<'clientOid' | 'tradeId' | 'type' | 'status' | 'relationEvent' | 'changeReason', unknown>
>;
