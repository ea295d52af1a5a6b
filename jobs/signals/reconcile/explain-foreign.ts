import { pairName } from '../../../compute/model/market-pair.js';
import type { OpenVenueOrder, ReadingOptions } from '../../../storage/exchanges/trading-venue.js';
import type { Storage } from '../../../storage/index.js';
import type { ForeignOrder } from '../../../storage/signals/foreign-orders.js';
import { isClientOrderId } from '../../../storage/signals/client-order-id.js';
import type { StoredExecution } from '../../../storage/signals/stored-execution.js';

export interface ExplainTools {
  storage: Pick<Storage, 'connections' | 'executions' | 'foreignOrders'>;
  /** The accounts whose foreign orders were noted last. */
  shown: Set<string>;
}

export interface ForeignFacts {
  userId: string;
  exchange: string;
  /** Open orders that belong to no running execution. */
  foreign: readonly OpenVenueOrder[];
  /** Where it was looked for them; absent: everywhere. */
  only?: ReadingOptions['only'];
}

export interface ForeignExplanation {
  /** Ended executions with orders that still stand, and the ids of these orders: the executions look them up and cancel them. */
  lost: Map<StoredExecution, string[]>;
  /** Why the account is to be paused: an order has an id of this service and is not stored. Null if there is none. */
  unknown: string | null;
}

/**
 * Explains open orders that belong to no running execution. Orders of ended executions arrived late. An order that has an id of
 * this service and is not stored comes from a lost database, or from another installation with the same key; another connection to the
 * same account may still manage what it bought before this one displaced it. Orders that no signal has placed are left alone, and noted so that they are shown.
 */
export async function explainForeign(
  { storage, shown }: ExplainTools,
  { userId, exchange, foreign, only }: ForeignFacts,
): Promise<ForeignExplanation> {
  const account = `${exchange} ${userId}`;
  if (foreign.length === 0 && !shown.has(account)) return { lost: new Map(), unknown: null };
  const own = foreign.map(({ clientOrderId }) => clientOrderId).filter(isClientOrderId);
  const found = await storage.executions.withOrders([userId], own);
  const ended = found.filter((each) => each.exchange === exchange);
  const ofEnded = (execution: StoredExecution) =>
    execution.orders.map(({ clientOrderId }) => clientOrderId).filter((id) => own.includes(id));
  const known = new Set(ended.flatMap(ofEnded));
  // What was handed over stays as its owner wants it.
  const arrived = ended.filter(({ isHandedOver }) => !isHandedOver);
  const lost = new Map(arrived.map((execution) => [execution, ofEnded(execution)]));
  const orders = foreign.filter(({ clientOrderId }) => !known.has(clientOrderId));
  const seen = orders.map(({ clientOrderId, account, pair }) => {
    return { clientOrderId, account, pair: pairName(pair), hasOwnId: isClientOrderId(clientOrderId) };
  });
  // Some exchanges show more than was asked for.
  const isElsewhere = ({ clientOrderId, account, pair }: ForeignOrder) =>
    only?.some((each) => each.account === account && pairName(each.pair) === pair) === false &&
    !seen.some((each) => each.clientOrderId === clientOrderId);
  const noted = { userId, exchange, seenAt: new Date(), orders: seen };
  if (await storage.foreignOrders.put(noted, isElsewhere)) shown.add(account);
  else shown.delete(account);
  const strange = orders.filter(({ clientOrderId }) => isClientOrderId(clientOrderId));
  const beside = strange.length === 0 ? null : await idsBeside(storage, userId, exchange, strange);
  const unknown = strange.find(({ clientOrderId }) => !beside!.has(clientOrderId));
  return { lost, unknown: unknown ? inWords(unknown) : null };
}

/** Those of the ids that are of orders of other connections to the same account of the exchange. */
async function idsBeside(
  { connections, executions }: ExplainTools['storage'],
  userId: string,
  exchange: string,
  orders: readonly OpenVenueOrder[],
): Promise<Set<string>> {
  const connection = await connections.find(userId, exchange);
  const { venueAccount } = connection ?? {};
  const claims = venueAccount === undefined ? [] : await connections.claimsOn([venueAccount]);
  const owners = new Set(claims.filter(({ id }) => id !== connection!.id).map((each) => each.userId));
  const ids = orders.map(({ clientOrderId }) => clientOrderId);
  const found = await executions.withOrders([...owners], ids);
  return new Set(found.flatMap((each) => each.orders.map(({ clientOrderId }) => clientOrderId)));
}

const inWords = ({ clientOrderId, pair, account }: OpenVenueOrder): string =>
  `the order "${clientOrderId}" of ${pairName(pair)} on ${account} has an id of this service and is not among yours: another user or installation trades the same account, which one of you has to disconnect, or a database was lost; then cancel the order on the exchange`;
