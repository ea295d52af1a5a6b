import assert from 'node:assert/strict';
import { ObjectId } from 'mongodb';
import { signalsToday } from '../../../../jobs/signals/plan-deliveries.js';
import type { StoredExecution } from '../../../../storage/signals/stored-execution.js';
import { temporaryStorage } from '../../../support/servers/temporary-storage.js';
import { endedExecution, filledOrder, storedFill } from '../../../support/signals/ended-execution.js';

const noon = Date.UTC(2026, 0, 6, 12);

describe('the signals of a day', () => {
  const context = temporaryStorage();
  let made = 0;

  /** An execution that bought at 100 and sold at a price some time later. */
  function sold(price: string, afterMs: number, more: Partial<StoredExecution> = {}): StoredExecution {
    const id = `${ObjectId.createFromTime(noon / 1_000 + ++made).toHexString()}:subscription`;
    const orders = [
      { ...filledOrder('buy', [storedFill({ at: new Date(noon) })]), clientOrderId: `${id} 1` },
      {
        ...filledOrder('sell', [storedFill({ price, at: new Date(noon + afterMs) })]),
        clientOrderId: `${id} 2`,
      },
    ];
    const ended = endedExecution({ userId: 'ada', partnerId: 'p', ...more }, price);
    const position = {
      ...ended.state!.position,
      entered: '1',
      exited: '1',
      entryValue: '100',
      exitValue: price,
    };
    return { ...ended, id, orders, state: { ...ended.state!, position } };
  }

  const counted = async (executions: StoredExecution[], sinceMs = noon - 1) => {
    await context.storage.executions.addAll(executions);
    const found = await context.storage.executions.followedSince('p', ['ada'], new Date(sinceMs));
    return signalsToday(found).get('ada');
  };

  it('count twice if they are closed at a loss within a minute', async () => {
    assert.equal(await counted([sold('110', 1_000)]), 1);
    assert.equal(await counted([sold('90', 1_000)]), 3);
    assert.equal(await counted([sold('90', 60_000)]), 4);
  });

  it('are those of the partner that were followed, since 00:00 UTC', async () => {
    const before = await counted([]);
    const other = [
      sold('110', 1, { partnerId: 'other' }),
      sold('110', 1, { userId: 'eve' }),
      sold('110', 1, { status: 'skipped' }),
      sold('110', 1, { status: 'rejected' }),
    ];
    assert.equal(await counted(other), before);
    assert.equal(await counted([], noon + 60_000), undefined);
  });
});
