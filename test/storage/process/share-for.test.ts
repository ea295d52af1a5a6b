import assert from 'node:assert/strict';
import { shareFor } from '../../../storage/process/shared-calls.js';
import { until } from '../../support/process/until.js';

describe('shareFor', () => {
  it('makes one result for all calls within the time, and another one after it', async () => {
    let made = 0;
    const started = performance.now();
    const shared = shareFor(1_000, () => Promise.resolve(++made));
    const results = await Promise.all([shared(), shared(), shared()]);
    assert.deepEqual(results, [1, 1, 1]);
    await until('a new one', async () => (await shared()) === 2);
    assert.ok(performance.now() - started >= 1_000);
  });

  it('never makes two at the same time', async () => {
    let finish: (value: string) => void = () => undefined;
    let made = 0;
    const shared = shareFor(0, () => {
      made++;
      return new Promise<string>((resolve) => (finish = resolve));
    });
    const first = shared();
    const second = shared();
    assert.equal(made, 1);
    finish('done');
    assert.deepEqual(await Promise.all([first, second]), ['done', 'done']);
    void shared();
    assert.equal(made, 2);
  });

  it('shares an error with the calls that wait for it', async () => {
    let made = 0;
    const shared = shareFor(60_000, () => {
      made++;
      return Promise.reject(new Error('away'));
    });
    const [first, second] = [shared(), shared()];
    for (const each of [first, second]) await assert.rejects(each, { message: 'away' });
    assert.equal(made, 1);
  });

  it('makes another result after an error, without waiting for the time', async () => {
    let made = 0;
    const shared = shareFor(60_000, () =>
      made++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve('there'),
    );
    await assert.rejects(shared(), { message: 'away' });
    assert.equal(await shared(), 'there');
  });
});
