import { symbolOf } from '../book/traded-pair.js';
import type { SocketDialect } from './socket-dialect.js';

/** Binance's streams of aggregate trades. */
export const binanceSockets: SocketDialect = {
  kindOf(path) {
    // It listens at port 9443 as well: "WebSocket Streams for Binance". Many networks let out 443 alone, so nothing is to need that.
    if (path.startsWith('/stream.binance.com/ws/')) return 'spot';
    return path.startsWith('/fstream.binance.com/market/ws/') ? 'futures' : null;
  },

  request({ method, params, id }) {
    const topics = params as string[];
    const taken = { result: null, id };
    const refused = { error: { code: 2, msg: 'Invalid request: unknown stream' }, id };
    if (method === 'SUBSCRIBE') return { follow: topics, taken, refused };
    return method === 'UNSUBSCRIBE' ? { leave: topics, taken, refused } : null;
  },

  topicOf: (pair) => `${symbolOf(pair).toLowerCase()}@aggTrade`,

  trade: (pair, kind, { id, price, quantity, at }) => ({
    ...{ e: 'aggTrade', E: at, s: symbolOf(pair), a: Number(id), p: price, q: quantity },
    ...{ f: Number(id), l: Number(id), T: at, m: false },
    ...(kind === 'spot' ? { M: true } : { nq: quantity }),
  }),
};
