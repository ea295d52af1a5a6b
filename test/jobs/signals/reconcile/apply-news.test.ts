import assert from 'node:assert/strict';
import { applyNews } from '../../../../jobs/signals/reconcile/apply-news.js';
import type { PartnerSlot } from '../../../../storage/signals/stored-execution.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { makeStoredExecution, storedOrder } from '../../../support/signals/make-stored-execution.js';

describe('applyNews', () => {
  const temporary = temporaryStorage();

  /** Tells of a trade of an order that was sent so long ago (ms). Answers what it wakes, and what it leaves for later. */
  async function tell(sentForMs: number, isUnderWay: boolean) {
    const { executions } = temporary.storage;
    const sentAt = new Date(Date.now() - sentForMs);
    const clientOrderId = `sent ${sentForMs} ${isUnderWay}`;
    const execution = makeStoredExecution({ orders: [{ ...storedOrder, clientOrderId, sentAt }] });
    await executions.addAll([execution]);
    const woken: string[] = [];
    const { later } = await applyNews(
      {
        storage: temporary.storage,
        underWay: { has: (id) => isUnderWay && id === execution.id },
        wake: async (slots: readonly PartnerSlot[]) => void woken.push(...slots.map(() => execution.id)),
      },
      { orders: new Map([[clientOrderId, { tradeIds: new Set(['1']), isEnded: true }]]) },
      (ids) => executions.withOrders([execution.userId], ids),
    );
    const [{ observed, revision }] = await executions.ofIds([execution.id]);
    return { isWoken: woken.length > 0, isLater: later.has(clientOrderId), observed, revision };
  }

  it('leaves an execution to the worker that has it, however long its order waits', async () => {
    const left = { isWoken: false, isLater: true, observed: undefined, revision: 0 };
    assert.deepEqual(await tell(60_000, true), left);
    // A worker of another process may have it.
    assert.deepEqual(await tell(500, false), left);
  });

  it('lets an execution look its orders up that no worker has', async () => {
    const { isWoken, isLater, observed, revision } = await tell(60_000, false);
    assert.deepEqual([isWoken, isLater, observed?.lookUp.length, revision], [true, false, 1, 1]);
  });
});
