import assert from 'node:assert/strict';
import { slotOf } from '../../../jobs/signals/partner-slots.js';
import { StreamedAccounts } from '../../../storage/accounts/streamed-accounts.js';
import { until } from '../../support/process/until.js';
import { keyOf } from '../../support/venues/live-rig.js';
import {
  isOpenWithStop,
  type LiveScene,
  temporaryScene,
  waitsForPrice,
} from '../../support/venues/live-scene.js';

/** Executions of a partner are advanced in four slots: of five followers two share one. */
const others = 4;

describe('followers whose executions are advanced together', function () {
  this.timeout(90_000);
  let scene: LiveScene;
  const context = temporaryScene(async (opened) => {
    scene = opened;
    const venues = new Map([['BINANCE', scene.live.open(30_000)]]);
    await scene.rig.startEngine({ venues, sweepMs: 500, followMs: 200 });
  });

  it('have their stops although the exchange does not answer for the entry of one of them', async () => {
    await scene.live.price('61000');
    const { signal, isSo } = await scene.follow({
      before: async (userId) => {
        const [{ channelId }] = await context.storage.subscriptions.ofUser(userId);
        for (let n = 0; n < others; n++) {
          const other = await scene.live.user('10000');
          await scene.rig.subscribe(channelId, other, { exchange: 'BINANCE', stopOnExchange: true });
        }
      },
    });
    await isSo('it waits for its price', waitsForPrice);
    const all = () => scene.rig.executionsOf(signal.id);
    await until('all wait for their price', async () => {
      const found = await all();
      return found.length === others + 1 && found.every(waitsForPrice);
    });
    const found = await all();
    const [late, together] = found
      .map((one) =>
        found.filter(({ subscriptionId }) => slotOf(subscriptionId) === slotOf(one.subscriptionId)),
      )
      .find((group) => group.length > 1)!;
    const fault = { kind: 'late answer', ms: 8_000 } as const;
    await scene.exchange.faults({
      seed: 1,
      rules: [{ on: 'create', apiKey: keyOf(late.userId), times: 1, fault }],
    });
    await scene.live.price('60000');
    const now = async (id: string) => (await all()).find((each) => each.id === id)!;
    await until('the stop of the other stands', async () => isOpenWithStop(await now(together.id)));
    // Where its answer is waited for no longer, it is looked up.
    assert.ok(['sent', 'unknown'].includes((await now(late.id)).orders[0].status));
    await until('its own stop stands', async () => isOpenWithStop(await now(late.id)));
  });

  it('ask for no order again whose answer comes some time after the private streams have told of it', async () => {
    await scene.live.price('61000');
    const { userId, isSo } = await scene.follow();
    const streamed = new StreamedAccounts(scene.rig.redis, 'BINANCE');
    await until('the account is streamed', () => streamed.has(userId));
    await isSo('it waits for its price', waitsForPrice);
    const fault = { kind: 'late answer', ms: 500 } as const;
    const apiKey = keyOf(userId);
    await scene.exchange.faults({ seed: 1, rules: [{ on: 'create', apiKey, times: 1, fault }] });
    await scene.live.price('60000');
    await isSo('its stop stands', isOpenWithStop);
    const asked = await scene.exchange.requests();
    assert.deepEqual(
      asked.filter((each) => each.kind === 'find' && each.apiKey === apiKey),
      [],
    );
  });

  it('are followed although each reading of a balance takes longer than a delivery waits', async () => {
    await scene.live.price('61000');
    const { isSo } = await scene.follow({
      before: (userId) =>
        scene.exchange.faults({
          seed: 1,
          rules: [{ on: 'account', apiKey: keyOf(userId), fault: { kind: 'late answer', ms: 4_000 } }],
        }),
    });
    const { events } = await isSo('it waits for its price', waitsForPrice);
    await scene.exchange.faults({ seed: 1, rules: [] });
    assert.deepEqual(
      events.slice(0, 2).map(({ type }) => type),
      ['postponed', 'resumed'],
    );
  });
});
