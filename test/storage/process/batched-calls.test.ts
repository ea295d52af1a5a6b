import assert from 'node:assert/strict';
import { batchedCalls } from '../../../storage/process/batched-calls.js';

function opened({ maxCount = 100, maxSize = 100 } = {}) {
  const sent: number[][] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const call = batchedCalls<number, string>({
    send: (asks) =>
      new Promise((resolve, reject) => {
        sent.push(asks);
        answers.push({ resolve: () => resolve(asks.map(String)), reject });
      }),
    maxCount,
    maxSize,
    sizeOf: (ask) => ask,
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  return { call, sent, answers, tick };
}

describe('batched calls', () => {
  it('send the first at once, and those that come meanwhile as one batch', async () => {
    const { call, sent, answers, tick } = opened();
    const first = [1, 2].map((n) => call(n));
    await tick();
    const second = [3, 4, 5].map((n) => call(n));
    await tick();
    assert.deepEqual(sent, [[1, 2]]);
    answers[0].resolve();
    assert.deepEqual(await Promise.all(first), ['1', '2']);
    await tick();
    answers[1].resolve();
    assert.deepEqual(await Promise.all(second), ['3', '4', '5']);
    assert.deepEqual(sent, [
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('keep to the limits of a batch; a larger input travels alone', async () => {
    const { call, sent, answers, tick } = opened({ maxCount: 3, maxSize: 10 });
    const asked = [1, 1, 1, 1, 50, 6, 6].map((n) => call(n));
    for (let n = 0; n < 5; n++) {
      await tick();
      answers[n].resolve();
    }
    await Promise.all(asked);
    assert.deepEqual(sent, [[1, 1, 1], [1], [50], [6], [6]]);
  });

  it('fail with their batch, and later ones do not', async () => {
    const { call, answers, tick } = opened();
    const failing = [1, 2].map((n) => assert.rejects(call(n), { message: 'away' }));
    await tick();
    answers[0].reject(new Error('away'));
    await Promise.all(failing);
    const later = call(3);
    await tick();
    answers[1].resolve();
    assert.equal(await later, '3');
  });
});
