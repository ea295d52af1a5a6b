import type { bybit as Bybit } from 'ccxt';
import type { StreamMessage, StreamTrade, VenueStream } from '../../venue-stream.js';
import { streamText } from '../../stream-text.js';

/** Bybit's public trades. A request names ten topics on spot; those of a connection have 21,000 characters together. */
export const bybitStream: VenueStream<Bybit> = {
  most: { SPOT: 500, FUTURES: 500 },
  atOnce: { follow: 10, leave: 10 },
  params: {},

  read(message): StreamMessage {
    const { topic, data, op, success, ret_msg: text, code } = message as Message;
    if (typeof topic === 'string' && topic.startsWith('publicTrade.'))
      return { trades: Array.isArray(data) ? data.filter(isOnBook).map(tradeOf) : [] };
    if (op === 'ping' || op === 'pong' || text === 'pong') return 'upkeep';
    if (typeof success === 'boolean') return { isTaken: success };
    return code === undefined ? null : { isTaken: false };
  },
};

type Message = Partial<Record<'topic' | 'data' | 'op' | 'success' | 'ret_msg' | 'code', unknown>>;

/** The price of a block trade was agreed outside of the order book. */
const isOnBook = (row: unknown): row is Row =>
  typeof row === 'object' && row !== null && (row as Row).BT !== true;

const tradeOf = ({ s, i, p, T }: Row): StreamTrade => ({
  marketId: streamText(s),
  id: streamText(i),
  price: streamText(p),
  at: Number(streamText(T)),
});

type Row = Partial<Record<'s' | 'i' | 'p' | 'T' | 'BT', unknown>>;
