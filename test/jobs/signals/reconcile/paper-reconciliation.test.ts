import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Decimal } from '../../../../compute/model/decimal.js';
import { Settling } from '../../../../jobs/signals/signals-role.js';
import type { Account } from '../../../../storage/accounts/accounts.js';
import { until } from '../../../support/process/until.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { EngineRig } from '../../../support/signals/engine-rig.js';
import { PaperRig } from '../../../support/paper/paper-rig.js';

describe('reconciliation with paper accounts', function () {
  this.timeout(60_000);
  const temporary = temporaryStorage();
  let rig: EngineRig;
  let settling: Settling;
  before(async () => {
    rig = await EngineRig.open(temporary, '105', 'demo');
    const paper = new PaperRig(rig.storage, rig.redis, { startingBalance: '10000' });
    settling = new Settling(paper.settler, pino({ level: 'silent' }));
    await rig.startEngine({ ...paper.forEngine, reconcileMs: 300 });
  });
  after(async () => {
    await rig.close();
    await settling.close();
  });

  /** The execution of a user who has bought, once it is booked in the account. */
  const holder = async (name: string) => {
    await rig.putPrice('105');
    const { userId } = await rig.subscribe(`channel of ${name}`, name);
    const signal = await rig.signal(name);
    const execution = async () => (await rig.executionsOf(signal.id)).at(0);
    await rig.tickUntil('105', async () => (await execution())?.status === 'open');
    const { state } = (await execution())!;
    await until('it is settled', async () => {
      const [account] = await rig.storage.accounts.onExchange('PAPER', [userId]);
      return account?.holdings[0]?.quantity === state!.position.quantity;
    });
    return { userId, execution, held: state!.position.quantity };
  };

  it('reduces a position to what the account holds, and says so', async () => {
    const [one, other] = [await holder('reduced'), await holder('beside')];
    const left = Decimal.read(one.held).times(Decimal.parse('0.5')).toString();
    await temporary.db
      .collection<Account & { _id: string }>('accounts')
      .updateOne({ userId: one.userId }, { $set: { 'holdings.0.quantity': left } });
    await until('it is told', async () => (await one.execution())!.state!.position.quantity === left);
    const { status, events } = (await one.execution())!;
    assert.deepEqual(
      [status, events.filter(({ type }) => type === 'sold_elsewhere').map(({ figures }) => figures)],
      ['open', [{ quantity: left }]],
    );
    assert.equal((await other.execution())!.state!.position.quantity, other.held);
    assert.equal((await rig.storage.subscriptions.ofUser(one.userId))[0].isPaused, false);
  });
});
