import assert from 'node:assert/strict';
import { AppError } from '../../../compute/model/errors.js';
import { openPool, type ThreadPool } from '../../../jobs/node/pool.js';
import { LoopingCounter } from '../../support/jobs/looping-counter.js';
import { openMisbehavingPool, type MisbehavingPool } from '../../support/jobs/misbehaving-pool.js';
import { randomCandles } from '../../support/candles/random-candles.js';

const reason = new AppError('time_limit', 'the time limit is over');
const never = () => new AbortController().signal;

describe('a thread pool', () => {
  let pool: MisbehavingPool;

  beforeEach(() => {
    pool = openMisbehavingPool();
  });
  afterEach(() => pool.close());

  const works = async () =>
    assert.deepEqual(await pool.tell({ do: 'answer', value: 'works' }), { output: 'works', computeMs: 0.5 });

  it('gives what the thread answers, and how long it computed', async () => {
    const value = { text: 'ä', list: [1, 2], columns: new Float64Array([1, NaN]) };
    assert.deepEqual(await pool.tell({ do: 'answer', value }), { output: value, computeMs: 0.5 });
  });

  it('keeps code, message and details of an error', async () => {
    await assert.rejects(pool.tell({ do: 'refuse' }), (error) => {
      assert.ok(error instanceof AppError);
      assert.deepEqual(
        { code: error.code, message: error.message, details: error.details, kind: error.kind },
        {
          ...{ code: 'not_enough_history', message: 'too short', kind: 'invalid' },
          details: { needed: 61, found: 5 },
        },
      );
      return true;
    });
    await works();
  });

  it('says thread_failed, and nothing of the inside, when a thread throws', async () => {
    await assert.rejects(pool.tell({ do: 'throw' }), {
      name: 'AppError',
      code: 'thread_failed',
      message: 'the thread that ran "core-line" failed',
    });
    await works();
  });

  it('survives a thread that exits, whatever its code', async () => {
    for (const code of [0, 1, 137]) {
      await assert.rejects(pool.tell({ do: 'exit', code }), { code: 'thread_failed' });
      await works();
    }
  });

  it('survives a thread that throws after its answer', async () => {
    await pool.tell({ do: 'throw later' });
    // The task that the dying thread may have been given next fails; the one after it does not.
    await pool.tell({ do: 'answer', value: 1 }).catch((error: unknown) => {
      assert.equal((error as AppError).code, 'thread_failed');
    });
    await works();
  });

  it('survives a thread that runs out of memory', async () => {
    await assert.rejects(pool.tell({ do: 'grow' }), { code: 'thread_failed' });
    await works();
  });

  it('ends a looping thread at once when its signal is aborted, and frees the slot', async () => {
    for (let round = 0; round < 3; round++) {
      const loop = new LoopingCounter();
      const controller = new AbortController();
      const running = assert.rejects(
        pool.tell({ do: 'loop', counter: loop.counter }, controller.signal),
        (error) => error === reason,
      );
      await loop.started();
      controller.abort(reason);
      // Nothing else ends the loop.
      await running;
      await loop.stopped();
      await works();
    }
  });

  it('never starts what was aborted before', async () => {
    const loop = new LoopingCounter();
    const task = pool.tell({ do: 'loop', counter: loop.counter }, AbortSignal.abort(reason));
    await assert.rejects(task, (error) => error === reason);
    await works();
    assert.equal(loop.counter[0], 0);
  });

  it('never starts what was aborted while it waited', async () => {
    const [first, second] = [new LoopingCounter(), new LoopingCounter()];
    const [ofFirst, ofSecond] = [new AbortController(), new AbortController()];
    const running = assert.rejects(pool.tell({ do: 'loop', counter: first.counter }, ofFirst.signal));
    const waiting = pool.tell({ do: 'loop', counter: second.counter }, ofSecond.signal);
    await first.started();
    ofSecond.abort(reason);
    await assert.rejects(waiting, (error) => error === reason);
    ofFirst.abort(reason);
    await running;
    await works();
    assert.equal(second.counter[0], 0);
  });

  it('keeps the answer of a task that was done before the abort', async () => {
    const controller = new AbortController();
    await pool.tell({ do: 'answer', value: 1 }, controller.signal);
    controller.abort(reason);
    await works();
  });

  it('refuses tasks once it is closed, and those that were running', async () => {
    const loop = new LoopingCounter();
    const running = assert.rejects(pool.tell({ do: 'loop', counter: loop.counter }), {
      code: 'thread_failed',
    });
    await loop.started();
    await pool.close();
    await running;
    await loop.stopped();
    await assert.rejects(pool.tell({ do: 'answer', value: 1 }), { code: 'thread_failed' });
  });
});

describe('a thread pool of two threads', () => {
  let pool: MisbehavingPool;

  before(() => {
    pool = openMisbehavingPool({ threads: 2 });
  });
  after(() => pool.close());

  it('gives each caller its own answer', async () => {
    const values = Array.from({ length: 500 }, (_, n) => n);
    const runs = await Promise.all(values.map((value) => pool.tell({ do: 'answer', value })));
    assert.deepEqual(
      runs.map(({ output }) => output),
      values,
    );
  });

  it('runs on with one while the other loops, dies or is ended', async () => {
    const loop = new LoopingCounter();
    const controller = new AbortController();
    const looping = assert.rejects(pool.tell({ do: 'loop', counter: loop.counter }, controller.signal));
    await loop.started();
    for (let n = 0; n < 20; n++) assert.equal((await pool.tell({ do: 'answer', value: n })).output, n);
    await assert.rejects(pool.tell({ do: 'exit', code: 1 }), { code: 'thread_failed' });
    assert.equal((await pool.tell({ do: 'answer', value: 'on' })).output, 'on');
    controller.abort(reason);
    await looping;
    await loop.stopped();
  });
});

describe('the pool of compute tasks', () => {
  let pool: ThreadPool;
  const settings = {
    interval: '1h',
    period: '3M',
    strategy: 'trend_state',
    params: {},
  } as const;
  const costs = { feeRate: 0.001, slippageRate: 0.0005 };

  before(() => {
    pool = openPool({ threads: 1, threadMemoryMb: 128 });
  });
  after(() => pool.close());

  it('runs tasks by name', async () => {
    const candles = randomCandles(24 * 100);
    const { output, computeMs } = await pool.run(
      'backtest',
      { candles, targets: new Int8Array(candles.time.length), costs, ...settings },
      never(),
    );
    assert.equal(output.tradeCount, output.trades.length);
    assert.ok(computeMs > 0);
    const line = await pool.run('core-line', { candles, interval: '1h' }, never());
    assert.equal(line.output.price, candles.close[24 * 100 - 1]);
  });

  it('gives the error of a task with its code', async () => {
    const candles = randomCandles(5);
    await assert.rejects(
      pool.run(
        'backtest',
        { candles, targets: new Int8Array(candles.time.length), costs, ...settings },
        never(),
      ),
      {
        name: 'AppError',
        code: 'not_enough_history',
        message: 'trend_state needs 61 closed 1h candles, found 5',
      },
    );
  });

  it('says unexpected for a task nobody knows and for input that is none', async () => {
    const foreign = pool.run.bind(pool) as (
      name: string,
      input: unknown,
      signal: AbortSignal,
    ) => Promise<unknown>;
    for (const [name, input] of [
      ['nope', {}],
      ['constructor', {}],
      ['backtest', {}],
      ['backtest', null],
    ] as const)
      await assert.rejects(foreign(name, input, never()), { name: 'AppError', code: 'unexpected' });
  });
});
