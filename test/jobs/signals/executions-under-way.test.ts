import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { ExecutionsUnderWay } from '../../../jobs/signals/executions-under-way.js';
import type { DueRow } from '../../../jobs/durable/due-list.js';

const row: DueRow = { id: 'signal:subscription', partnerId: 'partner', slot: 0 };

describe('an execution whose exchange does not answer', () => {
  it('holds its job up for less than half a second, and is woken once it has ended if more is to do', async () => {
    const woken: string[] = [];
    const underWay = new ExecutionsUnderWay({
      due: { add: (rows) => Promise.resolve(void woken.push(...rows.map(({ id }) => id))) },
      queue: { wake: () => Promise.resolve() },
      log: { error: () => undefined },
    });
    let answer = (_isMore: boolean): void => undefined;
    const hangs = new Promise<boolean>((resolve) => (answer = resolve));
    // Timers of one process fire in the order of their times, however late.
    const first = await Promise.race([underWay.run(row, () => hangs), pause(500, 'still held up')]);
    assert.deepEqual([first, underWay.has(row.id)], [false, true]);
    answer(true);
    await underWay.settled();
    assert.deepEqual([woken, underWay.has(row.id)], [[row.id], false]);
  });
});
