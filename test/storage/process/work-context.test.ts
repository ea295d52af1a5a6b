import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { WorkContext } from '../../../storage/process/work-context.js';

describe('the context of a work', () => {
  it('is seen by all steps of the work, by each its own', async () => {
    const context = new WorkContext<string>();
    const seen = await Promise.all(
      ['one', 'other'].map((value) =>
        context.run(value, async () => {
          await nextTurn();
          const inner = await context.run(`${value} inside`, async () => {
            await nextTurn();
            return context.getStore();
          });
          return [inner, context.getStore()];
        }),
      ),
    );
    assert.deepEqual(seen, [
      ['one inside', 'one'],
      ['other inside', 'other'],
    ]);
    assert.equal(context.getStore(), undefined);
  });

  it('ends with the last work, also with one that fails, and not before', async () => {
    const context = new WorkContext<string>();
    const failing = context.run('work', async () => {
      await nextTurn();
      throw new Error('failed');
    });
    const longer = context.run('longer', async () => {
      await failing.catch(() => undefined);
      await nextTurn();
      return context.getStore();
    });
    await assert.rejects(failing, /failed/);
    assert.equal(await longer, 'longer');
    assert.equal(await context.run('next', () => nextTurn().then(() => context.getStore())), 'next');
    assert.equal(context.getStore(), undefined);
  });
});
