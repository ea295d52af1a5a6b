import assert from 'node:assert/strict';
import { runTaskBatch, type TaskBatch, type TaskRequest, type TaskResponse } from '../../../compute/task.js';
import { ThreadDispatcher } from '../../../jobs/node/thread-dispatcher.js';

const never = new AbortController().signal;

/** A dispatcher whose threads keep their batches until `goOn`. */
function opened(threads: number, computeMs: (name: string) => number = () => 0.5) {
  const batches: TaskBatch[] = [];
  const waiting: { batch: TaskBatch; end: AbortSignal; done: (error?: Error) => void }[] = [];
  const dispatcher = new ThreadDispatcher(threads, (batch, end) => {
    batches.push(batch);
    return new Promise((resolve, reject) => {
      const answer = ({ name, input }: TaskRequest): TaskResponse => ({
        ok: true,
        output: input,
        computeMs: computeMs(name),
      });
      const done = (error?: Error) => (error ? reject(error) : resolve(runTaskBatch(batch, answer)));
      end.addEventListener('abort', () => reject(new Error('the thread was ended')));
      waiting.push({ batch, end, done });
    });
  });
  const ask = (input: unknown, name = 'small', signal = never) => dispatcher.run({ name, input }, signal);
  /** Lets every thread answer until none has anything left. */
  const goOn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      next.done();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  /** The inputs of each batch so far. */
  const sent = () => batches.map(({ requests }) => requests.map(({ input }) => input));
  return { ask, goOn, sent, waiting, tick: () => new Promise((resolve) => setImmediate(resolve)) };
}

const outputs = async (asked: readonly Promise<TaskResponse>[]) =>
  (await Promise.all(asked)).map((response) => response.ok && response.output);

describe('a thread dispatcher', () => {
  it('sends a task alone until it is known to be small', async () => {
    const { ask, goOn, sent } = opened(1);
    const asked = [1, 2, 3, 4].map((n) => ask(n));
    await goOn();
    await new Promise((resolve) => setImmediate(resolve));
    await goOn();
    assert.deepEqual(await outputs(asked), [1, 2, 3, 4]);
    assert.deepEqual(sent(), [[1], [2, 3, 4]]);
  });

  it('divides tasks among free threads, and sends no more than a few milliseconds of work', async () => {
    const { ask, goOn, sent, tick } = opened(2, () => 1);
    const first = ask(0);
    await tick();
    await goOn();
    await first;
    const asked = Array.from({ length: 12 }, (_, n) => ask(n + 1));
    await tick();
    await goOn();
    await outputs(asked);
    assert.deepEqual(
      sent().map(({ length }) => length),
      [1, 4, 4, 4],
    );
    const three = [20, 21, 22].map((n) => ask(n));
    await tick();
    await goOn();
    await outputs(three);
    assert.deepEqual(sent().slice(4), [[20, 21], [22]]);
  });

  it('keeps tasks of another name, and long ones, apart', async () => {
    const { ask, goOn, sent, tick } = opened(1, (name) => (name === 'long' ? 50 : 0.5));
    const learned = [ask(0), ask(0, 'long')];
    await tick();
    await goOn();
    await outputs(learned);
    const asked = [ask(1), ask(2), ask(3, 'long'), ask(4, 'long'), ask(5)];
    await tick();
    await goOn();
    await outputs(asked);
    assert.deepEqual(sent().slice(2), [[1, 2], [3], [4], [5]]);
  });

  it('skips a task that is dropped before it begins, and runs the others of its batch', async () => {
    const { ask, goOn, sent, tick, waiting } = opened(1);
    const first = ask(0);
    await tick();
    await goOn();
    await first;
    const dropped = new AbortController();
    const asked = [ask(1), ask(2, 'small', dropped.signal), ask(3)];
    await tick();
    assert.equal(waiting.length, 1);
    const reason = new Error('no caller');
    dropped.abort(reason);
    await assert.rejects(asked[1], reason);
    assert.equal(waiting[0].end.aborted, false);
    await goOn();
    assert.deepEqual(await outputs([asked[0], asked[2]]), [1, 3]);
    assert.deepEqual(sent().slice(1), [[1, 2, 3]]);
  });

  it('ends the thread of a task that has begun, and runs the others of its batch again', async () => {
    const { ask, goOn, sent, tick, waiting } = opened(1);
    const first = ask(0);
    await tick();
    await goOn();
    await first;
    const ended = new AbortController();
    const asked = [ask(1, 'small', ended.signal), ask(2), ask(3)];
    await tick();
    const [{ batch, end }] = waiting.splice(0);
    Atomics.store(batch.states!, 0, 1);
    ended.abort(new Error('no caller'));
    await assert.rejects(asked[0], { message: 'no caller' });
    assert.ok(end.aborted);
    await tick();
    await goOn();
    assert.deepEqual(await outputs(asked.slice(1)), [2, 3]);
    assert.deepEqual(sent().slice(1), [
      [1, 2, 3],
      [2, 3],
    ]);
  });

  it('finds the task that kills threads among several', async () => {
    const { ask, goOn, sent, tick, waiting } = opened(1);
    const first = ask(0);
    await tick();
    await goOn();
    await first;
    const asked = [1, 2, 3].map((n) => ask(n));
    await tick();
    waiting.shift()!.done(new Error('out of memory'));
    await tick();
    waiting.shift()!.done();
    await tick();
    const fails = assert.rejects(asked[1], { message: 'out of memory' });
    waiting.shift()!.done(new Error('out of memory'));
    await fails;
    await goOn();
    assert.deepEqual(await outputs([asked[0], asked[2]]), [1, 3]);
    assert.deepEqual(sent().slice(1), [[1, 2, 3], [1], [2], [3]]);
  });
});
