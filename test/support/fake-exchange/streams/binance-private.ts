import { createHmac } from 'node:crypto';
import type { BookOrder, BookTrade } from '../book/book-order.js';
import { ExchangeRefusal } from '../book/exchange-refusal.js';
import type { BookKind } from '../book/traded-pair.js';
import { algoOrder, futuresOrder } from '../rest/futures-order-fields.js';
import { eightPlaces } from '../rest/order-fields.js';
import type { Endpoint } from '../rest/rest-call.js';
import type { PrivateDialect, PrivateLine, PrivateTools } from './private-dialect.js';
import { streamKeysOf } from './stream-keys.js';

const hourMs = 3_600_000;

/**
 * Keys and tokens, which need the API key alone: "Start User Data Stream" of USDS-M futures (valid for 60 minutes, extended by
 * each POST), and "Create Margin Account listenToken" (valid for 24 hours).
 */
export const binanceStreamEndpoints: Record<string, Endpoint> = {
  'POST /fapi/v1/listenKey': ({ engine, apiKey, nowMs }) => {
    if (engine.accounts.get(apiKey)?.setup.mayTradeFutures === false)
      throw new ExchangeRefusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401);
    const terms = { nowMs, validMs: hourMs, isKept: true };
    return { listenKey: streamKeysOf(engine).give(apiKey, 'futures', terms) };
  },
  'POST /sapi/v1/userListenToken': ({ engine, apiKey, nowMs }) => {
    if (engine.accounts.get(apiKey)?.setup.hasMargin === false)
      throw new ExchangeRefusal(-3003, 'Margin account does not exist.', 400);
    const terms = { nowMs, validMs: 24 * hourMs, isKept: false };
    const token = streamKeysOf(engine).give(apiKey, 'margin', terms);
    return { token, expirationTime: Math.floor(nowMs + terms.validMs) };
  },
};

/**
 * Spot and margin by the WebSocket API ("User Data Stream requests", "Event format"), futures by a listen key in the address
 * ("Important WebSocket Change Notice"). Events: "User Data Streams" of spot and of USDS-M futures.
 */
export const binancePrivate: PrivateDialect = {
  open(path, { keys, nowMs, isRefused }) {
    if (path === '/ws-api.binance.com:443/ws-api/v3') return { lines: new Map() };
    const [address, query] = path.split('?', 2);
    if (address !== '/fstream.binance.com/private/ws') return null;
    const token = new URLSearchParams(query).get('listenKey') ?? '';
    const found = keys.accountOf(token, nowMs);
    if (found?.part !== 'futures' || isRefused(found.apiKey)) return 'refused';
    return { lines: new Map([['', { apiKey: found.apiKey, kinds: ['futures'], token }]]) };
  },

  answer({ id, method, params }, { lines }, tools) {
    const given = (params ?? {}) as Record<string, string | number>;
    if (method === 'userDataStream.unsubscribe') {
      lines.delete(String(given.subscriptionId));
      return { id, status: 200, result: {} };
    }
    const opened = method === 'userDataStream.subscribe.signature' ? bySignature(given, tools) : null;
    const line = opened ?? (method === 'userDataStream.subscribe.listenToken' ? byToken(given, tools) : null);
    if (line === null) return { id, status: 400, error: { code: -1104, msg: 'Unknown method.' } };
    if ('code' in line) return { id, status: 400, error: line };
    // "You can have only one active subscription for a given account on a given connection."
    const same = [...lines].find(
      ([, each]) => each.apiKey === line.apiKey && each.kinds[0] === line.kinds[0],
    );
    const name = same?.[0] ?? String(subscriptions++);
    lines.set(name, line);
    return { id, status: 200, result: { subscriptionId: Number(name) } };
  },

  tell(change, { kinds, apiKey }, { engine, nowMs }) {
    if (!kinds.includes(kindOf(change))) return [];
    const E = Math.floor(nowMs);
    if ('order' in change) {
      if (change.order.request.kind === 'futures') return futuresEvents(change.order, change.trade, E);
      return [executionReport(change.order, change.trade, E)];
    }
    const { asset, isByOrder, kind } = change;
    if (kind === 'futures') {
      const { totals } = engine.accounts.get(apiKey)!.futures;
      const row = {
        a: asset,
        wb: String(totals.get(asset) ?? 0),
        cw: String(totals.get(asset) ?? 0),
        bc: '0',
      };
      return [{ e: 'ACCOUNT_UPDATE', E, T: E, a: { m: isByOrder ? 'ORDER' : 'DEPOSIT', B: [row], P: [] } }];
    }
    const of = kind === 'margin' ? 'margin' : 'spot';
    const { free, held } = engine.accounts.get(apiKey)![of].balanceOf(asset, engine.openOrders(apiKey, of));
    const B = [{ a: asset, f: eightPlaces(free), l: eightPlaces(held) }];
    const position = { e: 'outboundAccountPosition', E, u: E, B };
    return isByOrder ? [position] : [{ e: 'balanceUpdate', E, a: asset, d: '1', T: E }, position];
  },

  wrap: (event, name) => (name === '' ? event : { subscriptionId: Number(name), event }),

  expired: ({ kinds, token }, nowMs) =>
    kinds[0] === 'futures'
      ? { e: 'listenKeyExpired', E: String(Math.floor(nowMs)), listenKey: token }
      : { e: 'eventStreamTerminated', E: Math.floor(nowMs) },
};

let subscriptions = 0;

type Refused = { code: number; msg: string };

const kindOf = (change: { order: BookOrder } | { kind: BookKind }): BookKind =>
  'order' in change ? change.order.request.kind : change.kind;

function bySignature(given: Record<string, string | number>, tools: PrivateTools): PrivateLine | Refused {
  const { signature, ...rest } = given;
  const apiKey = String(rest.apiKey);
  const account = tools.engine.accounts.get(apiKey);
  if (!account || tools.isRefused(apiKey))
    return { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' };
  const text = Object.keys(rest)
    .sort()
    .map((name) => `${name}=${rest[name]}`)
    .join('&');
  if (signature !== createHmac('sha256', account.setup.secret).update(text).digest('hex'))
    return { code: -1022, msg: 'Signature for this request is not valid.' };
  if (Math.abs(tools.nowMs - Number(rest.timestamp)) > 5_000)
    return { code: -1021, msg: 'Timestamp for this request is outside of the recvWindow.' };
  return { apiKey, kinds: ['spot'], token: null };
}

function byToken(
  { listenToken }: Record<string, string | number>,
  tools: PrivateTools,
): PrivateLine | Refused {
  const found = tools.keys.accountOf(String(listenToken), tools.nowMs);
  if (found?.part !== 'margin') return { code: -1209, msg: 'Invalid listenToken.' };
  return { apiKey: found.apiKey, kinds: ['margin'], token: String(listenToken) };
}

function executionReport(order: BookOrder, trade: BookTrade | null, E: number) {
  const { request, status, quantity, price, stopPrice, executed } = order;
  const isCancelled = status === 'CANCELED';
  return {
    ...{
      e: 'executionReport',
      E,
      s: request.symbol,
      S: request.side,
      o: request.type,
      f: request.timeInForce,
    },
    // Where an order is cancelled, "c" is the id of the request, and "C" that of the order.
    ...{
      c: isCancelled ? `cancel-${order.id}` : request.clientOrderId,
      C: isCancelled ? request.clientOrderId : '',
    },
    ...{
      q: eightPlaces(quantity),
      p: eightPlaces(price),
      P: eightPlaces(stopPrice),
      F: '0.00000000',
      g: order.listId,
    },
    ...{ x: trade ? 'TRADE' : status, X: status, r: 'NONE', i: order.id, z: eightPlaces(executed) },
    ...{ l: eightPlaces(trade?.quantity ?? null), L: eightPlaces(trade?.price ?? null) },
    ...{ n: eightPlaces(trade?.commission ?? null), N: trade?.commissionAsset ?? null },
    ...{
      T: order.updateTime,
      t: trade?.id ?? -1,
      w: order.isWorking,
      m: trade?.isMaker ?? false,
      O: order.time,
    },
  };
}

/** Conditional orders are told by ALGO_UPDATE, and once they have triggered as orders of another id, too. */
function futuresEvents(order: BookOrder, trade: BookTrade | null, E: number): object[] {
  const { request } = order;
  const { clientOrderId, origQty, executedQty, status, type, side, timeInForce } = futuresOrder(order);
  const about = { s: request.symbol, S: side, f: timeInForce, ps: 'BOTH', R: request.reduceOnly };
  const algo = request.isAlgo ? algoOrder(order) : null;
  const algoEvent = algo && {
    ...{ e: 'ALGO_UPDATE', T: E, E },
    o: {
      ...{ caid: algo.clientAlgoId, aid: algo.algoId, at: 'CONDITIONAL', o: algo.orderType, ...about },
      ...{
        q: algo.quantity,
        X: algo.algoStatus,
        ai: algo.actualOrderId,
        tp: algo.triggerPrice,
        p: algo.price,
      },
    },
  };
  const orderEvent = {
    ...{ e: 'ORDER_TRADE_UPDATE', T: E, E },
    o: {
      ...{
        c: clientOrderId,
        o: type,
        ...about,
        q: origQty,
        p: String(order.price ?? 0),
        sp: '0',
        z: executedQty,
      },
      ...{ x: trade ? 'TRADE' : status, X: status, i: order.id, t: trade?.id ?? 0, T: order.updateTime },
      ...{ l: String(trade?.quantity ?? 0), L: String(trade?.price ?? 0), rp: String(trade?.realized ?? 0) },
    },
  };
  return [...(algoEvent ? [algoEvent] : []), ...(algo && !order.isWorking ? [] : [orderEvent])];
}
