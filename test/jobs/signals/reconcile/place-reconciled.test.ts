import assert from 'node:assert/strict';
import { placeReconciled } from '../../../../jobs/signals/reconcile/place-reconciled.js';
import type { Placement, TradingVenue, VenueOrder } from '../../../../storage/exchanges/trading-venue.js';
import { liveOrder } from '../../../support/venues/live-order.js';

const never = new Promise<null>(() => undefined);

/** Places orders of ada on a venue that can lose orders, and answers them with what was sent. */
function placing(readyIs: Promise<string | null>, orders: readonly VenueOrder[]) {
  const sent: VenueOrder[] = [];
  const outages: string[] = [];
  const place = (some: readonly VenueOrder[]): Promise<Placement[]> => {
    sent.push(...some);
    return Promise.resolve(some.map(() => ({ unknown: 'no answer' })));
  };
  const venue = { id: 'BINANCE', lateMs: 7_000, place } as unknown as TradingVenue;
  const reconciler = {
    ready: () => readyIs,
    noteOutage: (_: unknown, userId: string) => outages.push(userId),
  };
  return { sent, outages, answers: placeReconciled(reconciler, venue, orders) };
}

describe('placeReconciled', () => {
  const entry = liveOrder('ada', { price: '50000' });
  const stop = liveOrder('ada', {
    side: 'sell',
    type: 'stop',
    price: null,
    stopPrice: '50000',
    reduces: true,
  });

  it('sends what protects a position although the comparison of its account takes long, and lets entries wait elsewhere', async () => {
    const { sent, answers } = placing(never, [entry, stop]);
    const reason = 'its account is being compared with what is stored';
    assert.deepEqual(await answers, [{ postponed: reason }, { unknown: 'no answer' }]);
    assert.deepEqual(sent, [stop]);
  });

  it('postpones all orders of an account that differs, and sends them once it does not', async () => {
    const differs = placing(Promise.resolve('it differs'), [entry, stop]);
    assert.deepEqual(await differs.answers, [{ postponed: 'it differs' }, { postponed: 'it differs' }]);
    assert.deepEqual(differs.sent, []);
    const equal = placing(Promise.resolve(null), [entry, stop]);
    assert.deepEqual(await equal.answers, [{ unknown: 'no answer' }, { unknown: 'no answer' }]);
    assert.deepEqual([equal.sent.length, equal.outages], [2, ['ada', 'ada']]);
  });
});
