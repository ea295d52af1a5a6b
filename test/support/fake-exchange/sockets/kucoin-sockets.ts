import { contractIdOf, spotIdOf } from '../kucoin/kucoin-symbols.js';
import type { SocketDialect } from './socket-dialect.js';

const channels = { spot: '/market/match:', futures: '/contractMarket/execution:' } as const;

/** KuCoin's matches and executions, with the token of `bullet-public`. */
export const kucoinSockets: SocketDialect = {
  kindOf(path) {
    const [address, query] = path.split('?', 2);
    const params = new URLSearchParams(query);
    if (address !== '/endpoint' || params.get('token') !== kucoinToken) return null;
    // Spot and futures have an address of their own, which here is one.
    return params.get('connectId') === 'publicFutures' ? 'futures' : 'spot';
  },

  welcome: { id: 'public', type: 'welcome' },

  request({ id, type, topic }) {
    const refused = { id, type: 'error', code: 404, data: `topic ${String(topic)} is not found` };
    if (type === 'ping') return { taken: { id, type: 'pong' }, refused };
    const [channel, markets] = String(topic).split(':', 2);
    const topics = (markets ?? '').split(',').map((market) => `${channel}:${market}`);
    const taken = { id, type: 'ack' };
    if (type === 'subscribe') return { follow: topics, taken, refused };
    return type === 'unsubscribe' ? { leave: topics, taken, refused } : null;
  },

  topicOf: (pair, kind) => channels[kind] + (kind === 'spot' ? spotIdOf(pair) : contractIdOf(pair)),

  trade(pair, kind, { id, price, quantity, at }) {
    const market = kind === 'spot' ? spotIdOf(pair) : contractIdOf(pair);
    const time = `${at}000000`;
    const both = { symbol: market, side: 'buy', price, tradeId: id, sequence: '1568787654360' };
    return {
      ...{ topic: channels[kind] + market, type: 'message' },
      ...(kind === 'spot'
        ? { subject: 'trade.l3match', data: { ...both, size: quantity, time, type: 'match' } }
        : { subject: 'match', sn: 14, data: { ...both, size: 1, matchSize: 1, ts: time } }),
    };
  },
};

/** The token of a connection. */
export const kucoinToken = 'the-token-of-a-connection';
