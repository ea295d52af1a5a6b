import type { kucoin as Kucoin } from 'ccxt';
import type { StreamMessage, VenueStream } from '../../venue-stream.js';
import { streamText } from '../../stream-text.js';

/** KuCoin's matches on spot and executions on futures. A connection takes 400 topics, and 100 requests in ten seconds. */
export const kucoinStream: VenueStream<Kucoin> = {
  most: { SPOT: 300, FUTURES: 300 },
  // ccxt does not follow a market again that it has left together with others.
  atOnce: { follow: 50, leave: 1 },
  params: {},

  // The address and the token of a connection are asked for by REST.
  prepareClient: (client, account) =>
    (client as unknown as Negotiator).negotiate(false, account === 'FUTURES'),

  read(message): StreamMessage {
    const { type, subject, data } = message as Message;
    if (type === 'ack') return { isTaken: true };
    if (type === 'error') return { isTaken: false };
    if (type === 'welcome' || type === 'pong') return 'upkeep';
    if (typeof data !== 'object' || data === null || !tradeSubjects.has(subject)) return null;
    const { symbol, tradeId, price, time, ts } = data as Match;
    const at = Math.floor(Number(streamText(time ?? ts)) / nanosecondsInMs);
    return {
      trades: [{ marketId: streamText(symbol), id: streamText(tradeId), price: streamText(price), at }],
    };
  },
};

const tradeSubjects: ReadonlySet<unknown> = new Set(['trade.l3match', 'match']);
const nanosecondsInMs = 1e6;

/** The part of ccxt.pro's class that ccxt's types leave out of the class without websockets. */
interface Negotiator {
  negotiate(isPrivate: boolean, isFutures: boolean): Promise<unknown>;
}

type Message = Partial<Record<'type' | 'subject' | 'data', unknown>>;
type Match = Partial<Record<'symbol' | 'tradeId' | 'price' | 'time' | 'ts', unknown>>;
