import type { StoredExecution } from '../../../storage/signals/stored-execution.js';
import type { ExchangeLedger } from '../fake-exchange/exchange-ledger.js';
import type { RequestLine } from '../fake-exchange/exchange-state.js';
import { keyOf } from '../venues/live-rig.js';
import type { BareTime } from './longest-unprotected.js';

/** How long (ms) before and after it the timeline reaches. */
const aroundMs = 1_500;

/**
 * What happened around a time in which a position stood without a stop: orders and trades of the exchange, its requests and the lines of
 * the execution, each with the seconds since the position was bare.
 */
export function bareTimeline({
  execution,
  time,
  ledger,
  requests,
}: {
  execution: StoredExecution;
  time: BareTime;
  ledger: ExchangeLedger;
  requests: readonly RequestLine[];
}): string[] {
  const { id, userId, pair, events, orders } = execution;
  const isOfUser = ({ apiKey }: { apiKey: string }) => apiKey === keyOf(userId);
  const legs = new Map(orders.map(({ clientOrderId, leg }) => [clientOrderId, leg]));
  const lines = [
    ...ledger.orders.filter(isOfUser).flatMap((order) => {
      const { clientOrderId, side, type, stopPrice, price, quantity, status, time: placedAt } = order;
      const name = legs.get(clientOrderId) ?? clientOrderId;
      const terms = `${side} ${type} ${quantity} at ${price} stop ${stopPrice}`;
      return [
        { at: placedAt, text: `exchange has ${name}: ${terms}` },
        { at: order.updateTime, text: `exchange: ${name} is ${status}, ${order.executed} traded` },
      ];
    }),
    ...ledger.trades
      .filter(isOfUser)
      .map(({ time: at, side, quantity, price }) => ({ at, text: `trade: ${side} ${quantity} at ${price}` })),
    ...requests.filter(isOfUser).map(({ at, method, path, status, fault, clientOrderId }) => ({
      at,
      text: `${method} ${path} ${legs.get(clientOrderId ?? '') ?? ''} -> ${status}${fault ? `, ${fault}` : ''}`,
    })),
    ...events.map(({ at, type, cause, figures }) => ({
      at: at.getTime(),
      text: `${type}: ${cause} ${JSON.stringify(figures)}`,
    })),
  ];
  const near = lines.filter(({ at }) => at >= time.since - aroundMs && at <= time.since + time.ms + aroundMs);
  near.sort((one, other) => one.at - other.at);
  const seconds = (at: number) => ((at - time.since) / 1_000).toFixed(2).padStart(6);
  return [
    `${id} on ${pair} stood ${time.ms} ms without a stop from ${new Date(time.since).toISOString()}`,
    ...near.map(({ at, text }) => `${seconds(at)} ${text}`),
  ];
}
