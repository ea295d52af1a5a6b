import type { RequestKind } from '../fault-script.js';

const kinds: readonly [RegExp, RequestKind][] = [
  [/^POST .*\/(order|algoOrder|orderList\/oco)$/, 'create'],
  [/^DELETE .*\/(order|algoOrder|openOrders|allOpenOrders|algoOpenOrders)$/, 'cancel'],
  [/^GET .*\/(order|algoOrder|allOrders|allAlgoOrders)$/, 'find'],
  [/^GET .*\/(openOrders|openAlgoOrders)$/, 'open orders'],
  [/^GET .*\/(myTrades|userTrades)$/, 'trades'],
  [/^GET .*\/(account|balance|positionRisk|apiRestrictions)$/, 'account'],
  [/^POST .*\/(leverage|marginType)$/, 'settings'],
  [/^GET .*\/(ping|time|exchangeInfo|ticker\/.*|trades|aggTrades|depth|klines|status)$/, 'public'],
];

/** What a request asks for, by its method and path. */
export const requestKind = (method: string, path: string): RequestKind =>
  kinds.find(([pattern]) => pattern.test(`${method} ${path}`))?.[1] ?? 'other';
