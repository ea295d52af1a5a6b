import { createHmac } from 'node:crypto';
import type { binance as Binance } from 'ccxt';
import { readDecimal } from '../../read-decimal.js';
import { streamText } from '../../stream-text.js';
import { wholeId } from './binance-pair.js';
import type { AccountNews, UserMessage, VenueUserStream } from '../../venue-user-stream.js';
import { exchangeRefused } from '../../venue-answers.js';

const socketApi = 'wss://ws-api.binance.com:443/ws-api/v3';
const minuteMs = 60_000;

/**
 * Spot by `userDataStream.subscribe.signature` (developers.binance.com, Spot, WebSocket API, "User Data Stream requests": up to 1,000
 * accounts on a connection, fewer where they are active), cross margin by a listen token ("Trade Data Stream" of margin, valid for
 * 24 hours), futures by a listen key (USDS-M Futures, "Start User Data Stream": valid for 60 minutes; the address is that of
 * "Important WebSocket Change Notice"). Isolated margin has a token for each pair; it is polled.
 */
export const binanceUserStream: VenueUserStream<Binance> = {
  parts: { spot: ['SPOT'], margin: ['MARGIN'], futures: ['FUTURES'] },
  most: { spot: 200, margin: 200 },
  renewMs: { margin: 1_200 * minuteMs, futures: 30 * minuteMs },

  async open(client, part) {
    if (part === 'spot') {
      const params = signed(client);
      const method = 'userDataStream.subscribe.signature';
      return { url: socketApi, requests: [(id) => ({ id, method, params: params() })] };
    }
    if (part === 'margin') {
      const { token: listenToken } = (await client.sapiPostUserListenToken()) as { token: string };
      const method = 'userDataStream.subscribe.listenToken';
      return { url: socketApi, requests: [(id) => ({ id, method, params: { listenToken } })] };
    }
    const { listenKey } = (await client.fapiPrivatePostListenKey()) as { listenKey: string };
    return { url: `wss://fstream.binance.com/private/ws?listenKey=${listenKey}`, requests: [] };
  },

  leave: (id, line) => ({
    id,
    method: 'userDataStream.unsubscribe',
    params: { subscriptionId: Number(line) },
  }),

  read(message): UserMessage {
    const { id, status, result, error, subscriptionId, event, ...rest } = message as Reply & BinanceEvent;
    if (typeof id === 'string') {
      if (status !== 200)
        return { reply: { id, refused: `${streamText(error?.code)}: ${streamText(error?.msg)}` } };
      const line = result?.subscriptionId;
      return { reply: { id, ...(line !== undefined && { line: String(line) }) } };
    }
    const news = newsOf(event ?? rest);
    if (news === null || news === 'upkeep') return news;
    return { news: subscriptionId === undefined ? news : { ...news, line: streamText(subscriptionId) } };
  },
};

/** The parameters of a request that the key signs: in alphabetical order, at the time of the exchange. */
function signed(client: Binance): () => object {
  if (client.secret.includes('PRIVATE KEY'))
    throw exchangeRefused('streams of binance are signed with HMAC keys only');
  return () => {
    const params = { apiKey: client.apiKey, timestamp: String(client.nonce()) };
    const signature = createHmac('sha256', client.secret)
      .update(new URLSearchParams(params).toString())
      .digest('hex');
    return { ...params, timestamp: Number(params.timestamp), signature };
  };
}

const ended: ReadonlySet<unknown> = new Set([
  'FILLED',
  'CANCELED',
  'REJECTED',
  'EXPIRED',
  'EXPIRED_IN_MATCH',
]);

function newsOf(event: BinanceEvent): AccountNews | 'upkeep' | null {
  switch (event.e) {
    // "c" is an id of the cancel request where an order was cancelled; "C" is the order's.
    case 'executionReport':
      return { orders: [orderOf(event, event.C === undefined || event.C === '' ? event.c : event.C)] };
    case 'ORDER_TRADE_UPDATE':
      return { orders: [orderOf(event.o ?? {}, event.o?.c)] };
    // It has left the list of conditional orders, and may be an order by now.
    case 'ALGO_UPDATE':
      return {
        orders: [{ clientOrderId: streamText(event.o?.caid), tradeId: null, isEnded: event.o?.X !== 'NEW' }],
      };
    case 'outboundAccountPosition':
      return { moved: 'by orders', ...balancesOf(event) };
    case 'balanceUpdate':
    case 'externalLockUpdate':
      return { moved: 'otherwise' };
    case 'ACCOUNT_UPDATE':
      return { moved: event.a?.m === 'ORDER' ? 'by orders' : 'otherwise' };
    case 'listenKeyExpired':
    case 'eventStreamTerminated':
      return { ended: `the exchange has ended the stream (${event.e})` };
    default:
      return typeof event.e === 'string' ? 'upkeep' : null;
  }
}

/** "Account Update": "the assets that were possibly changed", each as it is at the time "u"; nothing where it cannot be read. */
function balancesOf({ u, B }: BinanceEvent): Pick<AccountNews, 'balances'> {
  try {
    const told = (B as BinanceBalance[]).map(({ a, f, l }) => {
      return { asset: streamText(a), free: readDecimal(f), locked: readDecimal(l) };
    });
    return Number.isFinite(u) ? { balances: { at: u as number, told } } : {};
  } catch {
    return {};
  }
}

type BinanceBalance = Partial<Record<'a' | 'f' | 'l', unknown>>;

const orderOf = ({ X, t }: BinanceOrder, clientOrderId: unknown) => ({
  clientOrderId: wholeId(streamText(clientOrderId)),
  // 0 and -1 stand for none.
  tradeId: Number(t) > 0 ? streamText(t) : null,
  isEnded: ended.has(X),
});

type BinanceOrder = Partial<Record<'c' | 'C' | 'X' | 't' | 'caid', unknown>>;

interface BinanceEvent extends BinanceOrder {
  e?: unknown;
  o?: BinanceOrder;
  a?: { m?: unknown };
  u?: unknown;
  B?: unknown;
}

interface Reply {
  id?: unknown;
  status?: unknown;
  result?: { subscriptionId?: number } | null;
  error?: { code?: unknown; msg?: unknown };
  subscriptionId?: unknown;
  event?: BinanceEvent;
}
