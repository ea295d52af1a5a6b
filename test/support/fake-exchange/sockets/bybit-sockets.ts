import { symbolOf } from '../book/traded-pair.js';
import type { SocketDialect } from './socket-dialect.js';

const connection = { conn_id: 'the-connection' };

/** Bybit's public topics. */
export const bybitSockets: SocketDialect = {
  kindOf(path) {
    if (path === '/stream.bybit.com/v5/public/spot') return 'spot';
    return path === '/stream.bybit.com/v5/public/linear' ? 'futures' : null;
  },

  request({ op, args, req_id }) {
    const taken = { success: true, ret_msg: op === 'ping' ? 'pong' : '', ...connection, req_id, op };
    const refused = { success: false, ret_msg: 'error:handler not found', ...connection, req_id, op };
    const topics = args as string[];
    if (op === 'subscribe') return { follow: topics, taken, refused };
    if (op === 'unsubscribe') return { leave: topics, taken, refused };
    return op === 'ping' ? { taken, refused } : null;
  },

  topicOf: (pair) => `publicTrade.${symbolOf(pair)}`,

  trade: (pair, _, { id, price, quantity, at }) => ({
    ...{ topic: `publicTrade.${symbolOf(pair)}`, type: 'snapshot', ts: at },
    data: [{ T: at, s: symbolOf(pair), S: 'Buy', v: quantity, p: price, L: 'PlusTick', i: id, BT: false }],
  }),
};
