import assert from 'node:assert/strict';
import { viewCoreLine } from '../../compute/core-line/core-line-tasks.js';
import { requestStates, type TaskRequest, type TaskResponse } from '../../compute/task.js';
import runTaskBatch from '../../compute/worker.js';
import { demoCandles } from '../support/candles/demo-candles.js';

/** What the thread answers to one request. */
const run = (request: TaskRequest): TaskResponse => runTaskBatch({ requests: [request] })[0]!;

describe('the entry of a compute thread', () => {
  const candles = demoCandles('BTC_USDT', '1d');

  it('runs the task of that name, and says how long it took', () => {
    const response = run({ name: 'core-line', input: { candles, interval: '1d' } });
    assert.ok(response.ok);
    assert.deepEqual(response.output, viewCoreLine(candles, '1d'));
    assert.ok(response.computeMs >= 0);
  });

  it('gives its output as JSON text where that is wanted', () => {
    const response = run({ name: 'core-line', input: { candles, interval: '1d' }, asText: true });
    assert.ok(response.ok);
    assert.equal(response.output, JSON.stringify(viewCoreLine(candles, '1d')));
  });

  it('answers several in their order, and leaves out what was dropped before its turn', () => {
    const input = { candles, interval: '1d' };
    const requests = ['core-line', 'core-line', 'toString'].map((name) => ({ name, input }));
    const states = Int32Array.of(requestStates.waiting, requestStates.dropped, requestStates.waiting);
    const responses = runTaskBatch({ requests, states });
    assert.deepEqual(
      responses.map((response) => response?.ok),
      [true, undefined, false],
    );
    const { begun, dropped } = requestStates;
    assert.deepEqual([...states], [begun, dropped, begun]);
  });

  it('answers an AppError with its code as data, without a stack', () => {
    const input = { candles: { ...candles, time: new Float64Array(3) }, interval: '1d', period: '3M' };
    const response = run({ name: 'backtest', input: { ...input, strategy: 'trend_state', params: {} } });
    assert.deepEqual(response, {
      ok: false,
      error: {
        code: 'not_enough_history',
        message: 'trend_state needs 61 closed 1d candles, found 3',
        details: { needed: 61, found: 3 },
      },
    });
  });

  it('answers an unknown task with unexpected', () => {
    assert.deepEqual(run({ name: 'toString', input: {} }), {
      ok: false,
      error: { code: 'unexpected', message: 'there is no task "toString"', details: {} },
    });
  });

  it('answers a fault of its own with unexpected, its words in the stack alone', () => {
    const response = run({ name: 'core-line', input: null });
    assert.ok(!response.ok);
    assert.deepEqual(response.error, { code: 'unexpected', message: 'unexpected error' });
    assert.match(response.stack ?? '', /TypeError/);
  });
});
