import assert from 'node:assert/strict';
import { AppError } from '../../../../compute/model/errors.js';
import {
  reconcileAccount,
  type ReconcileTools,
} from '../../../../jobs/signals/reconcile/reconcile-account.js';
import type { TradingVenue } from '../../../../storage/exchanges/trading-venue.js';
import { makeStoredExecution } from '../../../support/signals/make-stored-execution.js';
import { newSubscription } from '../../../support/signals/new-subscription.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';

describe('reconcileAccount', () => {
  const context = temporaryStorage();

  it('wakes an execution that a worker has changed while its account was being paused', async () => {
    const { storage } = context;
    await storage.subscriptions.add({ ...newSubscription('ada', 'a channel'), exchange: 'X' });
    const execution = makeStoredExecution({ userId: 'ada', exchange: 'X' });
    await storage.executions.addAll([execution]);
    const venue = {
      id: 'X',
      holdings: () => Promise.reject(new AppError('exchange_refused', 'the key is unknown')),
      positions: () => Promise.resolve([]),
    } as unknown as TradingVenue;
    const { executions } = storage;
    const observe: typeof executions.observe = async (each, ...rest) => {
      await executions.writeAll([{ ...execution, revision: 1, dueAt: null }]);
      return executions.observe(each, ...rest);
    };
    const racing = new Proxy(executions, {
      get(target, name: 'observe' | 'openOf' | 'wake') {
        return name === 'observe' ? observe : target[name].bind(target);
      },
    });
    const tools: ReconcileTools = {
      storage: { ...storage, executions: racing },
      shown: new Set(),
      wake: () => Promise.resolve(),
      log: { warn: () => undefined },
    };
    assert.equal(await reconcileAccount(tools, venue, { userId: 'ada', urgency: 'poll' }), false);
    assert.equal((await storage.subscriptions.ofUser('ada'))[0].isPaused, true);
    assert.equal((await executions.dueSlots(Date.now())).length, 1);
  });
});
