import assert from 'node:assert/strict';
import { Together } from '../../../jobs/requests/together.js';

function opened({ most = 100, mostSize = 100 } = {}) {
  const sent: number[][] = [];
  const answers: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const together = new Together<number, string>({
    send: (asks) =>
      new Promise((resolve, reject) => {
        sent.push(asks);
        answers.push({ resolve: () => resolve(asks.map(String)), reject });
      }),
    most,
    mostSize,
    sizeOf: (ask) => ask,
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  return { together, sent, answers, tick };
}

describe('what is asked together', () => {
  it('leaves at once, and what comes meanwhile goes as one', async () => {
    const { together, sent, answers, tick } = opened();
    const first = [1, 2].map((n) => together.ask(n));
    await tick();
    const second = [3, 4, 5].map((n) => together.ask(n));
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

  it('is at most so much at a time; what is larger alone goes alone', async () => {
    const { together, sent, answers, tick } = opened({ most: 3, mostSize: 10 });
    const asked = [1, 1, 1, 1, 50, 6, 6].map((n) => together.ask(n));
    for (let n = 0; n < 5; n++) {
      await tick();
      answers[n].resolve();
    }
    await Promise.all(asked);
    assert.deepEqual(sent, [[1, 1, 1], [1], [50], [6], [6]]);
  });

  it('fails together, and what comes later does not', async () => {
    const { together, answers, tick } = opened();
    const failing = [1, 2].map((n) => assert.rejects(together.ask(n), { message: 'away' }));
    await tick();
    answers[0].reject(new Error('away'));
    await Promise.all(failing);
    const later = together.ask(3);
    await tick();
    answers[1].resolve();
    assert.equal(await later, '3');
  });
});
