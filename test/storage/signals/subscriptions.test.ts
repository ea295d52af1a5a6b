import assert from 'node:assert/strict';
import { everything, newSubscription } from '../../support/signals/new-subscription.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

describe('SubscriptionRepository', () => {
  const context = temporaryStorage();

  it('gives a user no more than 100 subscriptions, also when they are added at the same moment', async () => {
    const { subscriptions } = context.storage;
    const added = await Promise.allSettled(
      Array.from({ length: 110 }, (_, n) => subscriptions.add(newSubscription('ada', `channel-${n}`))),
    );
    const refusals = added.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as Error).message] : [],
    );
    assert.deepEqual(
      refusals,
      Array.from({ length: 10 }, () => 'a user may have 100 subscriptions; remove one first'),
    );
    assert.equal((await subscriptions.ofUser('ada')).length, 100);
    await subscriptions.add(newSubscription('bob', 'channel-1'));
  });

  it('reads a limit that is not stored as the safe one', async () => {
    const { db, storage } = context;
    const { id } = await storage.subscriptions.add(newSubscription('eve', 'channel'));
    const $unset = Object.fromEntries(Object.keys(everything).map((name) => [name, '']));
    await db.collection('subscriptions').updateOne({ _id: id as never }, { $unset });
    const { accounts, maxLeverage, maxDailyLoss } = (await storage.subscriptions.find('eve', id))!;
    assert.deepEqual(
      { accounts, maxLeverage, maxDailyLoss },
      { accounts: ['SPOT'], maxLeverage: 1, maxDailyLoss: '5' },
    );
  });
});
