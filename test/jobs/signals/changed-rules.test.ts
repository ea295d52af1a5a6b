import assert from 'node:assert/strict';
import { Decimal } from '../../../compute/model/decimal.js';
import { AppError } from '../../../compute/model/errors.js';
import type { PairRules } from '../../../compute/model/pair-rules.js';
import { DueList } from '../../../jobs/durable/due-list.js';
import { EngineRig } from '../../support/signals/engine-rig.js';
import { HandWorker } from '../../support/signals/hand-worker.js';
import { temporaryStorage } from '../../support/servers/temporary-storage.js';

const d = (text: string) => Decimal.parse(text);

describe('rules of a pair that the exchange changes after a signal was delivered', () => {
  const temporary = temporaryStorage();
  let rig: EngineRig;
  before(async () => {
    rig = await EngineRig.open(temporary, '115');
  });
  after(() => rig.close());

  /** The quantities of the orders that a signal leads to. */
  async function placed(partner: string, rules: () => Promise<PairRules>): Promise<string[]> {
    const worker = new HandWorker(rig);
    worker.price = 115;
    const { id, userId } = await rig.subscribe(`channel of ${partner}`, `${partner} user`);
    const signal = await rig.signal(partner);
    await worker.deliver(partner);
    const [{ partnerId, slot }] = await rig.executionsOf(signal.id);
    const at = new Date();
    const crossing = { price: '105', high: '105', low: '105', since: at, at };
    await temporary.db
      .collection('executions')
      .updateOne({ signalId: signal.id }, { $set: { crossings: [crossing], dueAt: at } });
    await new DueList(rig.redis).add([{ id: `${signal.id}:${id}`, partnerId, slot }]);
    Object.assign(rig.venue, { rules });
    await worker.advance({ partnerId, subscriptionId: id });
    Reflect.deleteProperty(rig.venue, 'rules');
    return [...rig.venue.orders.values()]
      .filter(({ order }) => order.userId === userId)
      .map(({ order }) => String(order.quantity));
  }

  it('hold for the orders that are placed then, which are no larger than it takes at once', async () => {
    const [tickSize, stepSize, minQuantity, minNotional] = ['0.01', '1', '1', '5'].map(d);
    const rules = { tickSize, stepSize, minQuantity, minNotional };
    // Of 10,000 a twentieth at 110 at most.
    assert.deepEqual(await placed('coarse', async () => rules), ['4']);
    assert.deepEqual(await placed('small', async () => ({ ...rules, maxQuantity: d('2.5') })), ['2']);
  });

  it('stay as they were known while the exchange does not answer', async () => {
    const silent = () => Promise.reject(new AppError('exchange_unavailable', 'it does not answer'));
    assert.deepEqual(await placed('silent', silent), ['4.5454']);
  });
});
