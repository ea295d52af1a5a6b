import type { binance as Binance } from 'ccxt';
import type { StreamMessage, VenueStream } from '../../venue-stream.js';
import { streamText } from '../../stream-text.js';

/** Trades that one order made at one price are one message. */
const params = { name: 'aggTrade' };

/** More markets than there are: ccxt counts every market that was ever followed. */
const anyNumber = 1_000_000;

/** Binance's streams. A connection takes 1,024 of them on spot and 200 on futures, and five requests a second. */
export const binanceStream: VenueStream<Binance> = {
  most: { SPOT: 1_000, FUTURES: 200 },
  atOnce: { follow: 100, leave: 100 },
  params,

  // ccxt opens a connection for each request otherwise.
  async prepareClient(client) {
    client.options.streamLimits = { spot: 1, future: 1 };
    client.options.subscriptionLimitByStream = { spot: anyNumber, future: anyNumber };
    // Binance serves its streams at both ports ("WebSocket Streams"); many networks let out 443 alone.
    const { ws } = client.urls.api as { ws: Record<string, string> };
    for (const type of ['spot', 'margin']) ws[type] = ws[type].replace(':9443', '');
  },

  read(message): StreamMessage {
    const { e, s, a, p, T, id, result, error } = message as AggregateTrade & Reply;
    if (e === 'aggTrade')
      return {
        trades: [
          { marketId: streamText(s), id: streamText(a), price: streamText(p), at: Number(streamText(T)) },
        ],
      };
    if (id === undefined) return null;
    return { isTaken: error === undefined && result === null };
  },
};

type AggregateTrade = Partial<Record<'e' | 's' | 'a' | 'p' | 'T', unknown>>;
type Reply = Partial<Record<'id' | 'result' | 'error', unknown>>;
