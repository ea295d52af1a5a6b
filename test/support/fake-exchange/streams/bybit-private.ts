import { createHmac } from 'node:crypto';
import { bybitExecution, bybitOrder } from '../bybit/bybit-rows.js';
import type { BookKind } from '../book/traded-pair.js';
import type { PrivateDialect } from './private-dialect.js';

const kinds: readonly BookKind[] = ['spot', 'margin', 'futures'];
const conn_id = 'the-private-connection';
const topicsOf = (args: unknown): string[] => (Array.isArray(args) ? args.map(String) : []);
const known: ReadonlySet<string> = new Set(['order', 'execution', 'wallet', 'position']);

/** Bybit's private topics: "Connect" (authentication, subscriptions, pings), "Order", "Execution", "Wallet" and "Position" of v5/ws. */
export const bybitPrivate: PrivateDialect = {
  open: (path) => (path === '/stream.bybit.com/v5/private' ? { lines: new Map() } : null),

  answer({ op, args, req_id }, connection, { engine, nowMs, isRefused }) {
    const answer = (success: boolean, ret_msg = '') => ({ success, ret_msg, op, conn_id });
    if (op === 'ping') return { req_id, op: 'pong', args: [String(Math.floor(nowMs))], conn_id };
    if (op === 'auth') {
      const [apiKey, expires, signature] = args as [string, number, string];
      const account = engine.accounts.get(apiKey);
      const expected =
        account && createHmac('sha256', account.setup.secret).update(`GET/realtime${expires}`).digest('hex');
      if (signature !== expected || isRefused(apiKey)) return answer(false, 'Invalid apikey or signature');
      if (expires <= nowMs) return answer(false, 'Params Error');
      connection.apiKey = apiKey;
      return answer(true);
    }
    if (op !== 'subscribe') return null;
    const topics = topicsOf(args);
    if (!connection.apiKey) return answer(false, 'Request not authorized');
    if (topics.some((topic) => !known.has(topic))) return answer(false, 'error:handler not found');
    connection.lines.set('', { apiKey: connection.apiKey, kinds, topics: new Set(topics), token: null });
    return answer(true);
  },

  tell(change, { topics, apiKey }, { engine, nowMs }) {
    const creationTime = Math.floor(nowMs);
    const message = (topic: string, row: object) => ({
      ...{ id: `${apiKey}_${topic}_${creationTime}`, topic, creationTime, data: [row] },
    });
    const wallet = { accountType: 'UNIFIED', totalEquity: '0', coin: [] as object[] };
    const of = (topic: string, row: object) => (topics!.has(topic) ? [message(topic, row)] : []);
    if (!('order' in change)) {
      const total = engine.accounts.get(apiKey)!.spot.totals.get(change.asset);
      wallet.coin.push({ coin: change.asset, walletBalance: String(total ?? 0), equity: String(total ?? 0) });
      return of('wallet', wallet);
    }
    const { order, trade } = change;
    const { kind, symbol } = order.request;
    const category = kind === 'futures' ? 'linear' : 'spot';
    const size = engine.accounts
      .get(apiKey)!
      .futures.positions.find((each) => each.symbol === symbol)?.quantity;
    return [
      ...(trade ? of('execution', { category, ...bybitExecution(trade, order) }) : []),
      ...of('order', { category, ...bybitOrder(order) }),
      ...(trade && kind === 'futures'
        ? of('position', { category, symbol, size: String(size ?? 0), positionIdx: 0 })
        : []),
    ];
  },
};
