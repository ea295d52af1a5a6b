import assert from 'node:assert/strict';
import { isRecord, terminalLine } from '../../../storage/process/terminal-line.js';

describe('terminalLine', () => {
  const base = { level: 30, time: 1, pid: 7, role: 'gateway' };

  it('says role, message and fields, without what only a machine needs', () => {
    const request = {
      method: 'GET',
      path: '/docs',
      status: 200,
      ip: '127.0.0.1',
      ms: 3.2,
      traceId: 'x',
      msg: 'request done',
    };
    assert.equal(
      terminalLine({ ...base, ...request }),
      'gateway request done GET /docs 200 ip=127.0.0.1 3.2 ms',
    );
    const done = {
      ...base,
      role: 'market',
      schedule: 'clean-up',
      ids: ['a'],
      none: null,
      attempt: 1,
      msg: 'schedule done',
    };
    assert.equal(terminalLine(done), 'market  schedule done schedule=clean-up ids=["a"]');
  });

  it('has the message of the error of a warning, and the stack of that of an error', () => {
    const err = { type: 'Error', message: 'no answer', stack: 'Error: no answer\n    at a (b.js:1:2)' };
    assert.equal(terminalLine({ ...base, level: 40, err, msg: 'not sent' }), 'gateway not sent (no answer)');
    assert.equal(terminalLine({ ...base, level: 40, err: null, msg: 'not sent' }), 'gateway not sent');
    assert.equal(
      terminalLine({ ...base, level: 50, err, msg: 'not sent' }),
      'gateway not sent \n    Error: no answer\n        at a (b.js:1:2)',
    );
  });

  it('holds nothing that a terminal obeys, whatever a client has chosen', () => {
    const path = '/\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\u2028\n\r';
    const err = { message: path, stack: `Error: ${path}` };
    const lines = [30, 40, 50].map((level) =>
      terminalLine({ ...base, level, method: path, path, name: path, deep: { path }, err, msg: path }),
    );
    // The only line breaks are those between the lines of a stack.
    for (const line of lines)
      assert.doesNotMatch(line.replaceAll('\n    ', ''), /[\u0000-\u001f\u007f-\u009f\u202e\u2028]/);
    assert.match(
      lines[0],
      /^gateway \/\\u001b\]0;title\\u0007\\u001b\[2J\\u009b31m\\u202e\\u2028\\u000a\\u000d /,
    );
  });
});

describe('isRecord', () => {
  it('is true of jobs that succeeded, and of nothing else', () => {
    assert.equal(isRecord({ level: 30, timings: { pool: 1 }, msg: 'job done' }), true);
    assert.equal(isRecord({ level: 40, timings: { pool: 1 }, msg: 'job failed' }), false);
    assert.equal(isRecord({ level: 30, msg: 'request done' }), false);
  });
});
