import type { Storage } from '../../../storage/index.js';
import {
  isOrderEnded,
  type PartnerSlot,
  type StoredExecution,
  type StoredOrder,
} from '../../../storage/signals/stored-execution.js';
import type { ExecutionsUnderWay } from '../executions-under-way.js';
import type { HeardNews } from './heard-news.js';

/** An order that another process is about to place is left to it for this long: it has the answer of the exchange first. */
const placingMs = 2_000;

export interface NewsTools {
  storage: Pick<Storage, 'executions'>;
  /** Those of this process are left to their workers: news that are stored meanwhile would cost the workers what they write. */
  underWay: Pick<ExecutionsUnderWay, 'has'>;
  /** Called for executions that have something to apply. */
  wake: (slots: readonly PartnerSlot[]) => Promise<void>;
}

export interface AppliedNews {
  /** Whether orders were told that no execution has. */
  isForeign: boolean;
  /** What has to be looked into again in a moment. */
  later: HeardNews['orders'];
}

/** Makes executions look up the orders that the exchange shows further than they are stored. */
export async function applyNews(
  { storage, underWay, wake }: NewsTools,
  { orders: heard }: Pick<HeardNews, 'orders'>,
  withOrders: (ids: readonly string[]) => Promise<StoredExecution[]>,
): Promise<AppliedNews> {
  const executions = await withOrders([...heard.keys()]);
  const later: HeardNews['orders'] = new Map();
  const changed = [];
  const own = new Set<string>();
  for (const execution of executions) {
    const told = execution.orders.filter(({ clientOrderId }) => heard.has(clientOrderId));
    for (const { clientOrderId } of told) own.add(clientOrderId);
    if (execution.isHandedOver) continue;
    const news = told.filter((order) => isNews(order, heard.get(order.clientOrderId)!));
    if (news.length === 0) continue;
    const isLeft = underWay.has(execution.id) || news.some(isBeingPlaced);
    const lookUp = news.map(({ clientOrderId }) => clientOrderId);
    const before = execution.observed;
    const observed = {
      lookUp: [...new Set([...(before?.lookUp ?? []), ...lookUp])],
      held: before?.held ?? null,
      line: before?.line ?? null,
    };
    if (!isLeft && (await storage.executions.observe(execution, observed, Date.now())))
      changed.push(execution);
    else for (const id of lookUp) later.set(id, heard.get(id)!);
  }
  if (changed.length > 0) await wake(changed);
  return {
    isForeign: [...heard.keys()].some((id) => !own.has(id)),
    later,
  };
}

/** Whether news of an order tell more than is stored. */
function isNews(
  order: StoredOrder,
  { tradeIds, isEnded }: { tradeIds: ReadonlySet<string>; isEnded: boolean },
): boolean {
  if ([...tradeIds].some((id) => !order.fills.some(({ tradeId }) => tradeId === id))) return true;
  if (isOrderEnded(order)) return order.exchangeOrderId === null && !isEnded;
  return isEnded;
}

/** Whether another process may be about to hear of the order what was told: it has been sent, and its answer is not stored. */
const isBeingPlaced = ({ status, sentAt, createdAt }: StoredOrder): boolean =>
  (status === 'sent' || status === 'planned') && Date.now() - (sentAt ?? createdAt).getTime() < placingMs;
