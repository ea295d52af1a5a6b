import assert from 'node:assert/strict';
import { RestartPause, RoleProcess } from '../../../gateway/supervisor/role-process.js';
import { processStart } from '../../../storage/embedded/orphans.js';
import { until } from '../../support/process/until.js';

const module = new URL('../../support/process/plain-role-main.js', import.meta.url);
const times = { firstMs: 20, longestMs: 80, healthyMs: 60_000 };

describe('RoleProcess', () => {
  let reported: string[];
  let role: RoleProcess;

  const open = (args: string[], { stopMs = 5_000, pause = new RestartPause(times) } = {}) => {
    const report = (line: string) => void reported.push(line);
    return new RoleProcess({ role: 'compute', module, args, env: process.env, stopMs, report, pause });
  };
  const pid = () => Number(role.facts.pid);

  beforeEach(() => (reported = []));
  afterEach(() => role.stop());

  it('starts the role again when it could not be started for a while', async () => {
    role = open(['lives']);
    await role.start();
    const first = pid();
    const { execPath } = process;
    // The system refuses to start this program, as it does without memory or process ids.
    process.execPath = '/nonexistent/node';
    try {
      process.kill(first, 'SIGKILL');
      await until('two failed starts', () => reported.filter((line) => line.includes('ENOENT')).length >= 2);
    } finally {
      process.execPath = execPath;
    }
    await until('another process', () => pid() !== first && processStart(pid()) !== undefined);
    assert.deepEqual(reported.slice(0, 3), [
      'compute ended (SIGKILL); restarting it in 0.02 s',
      'compute did not start: spawn /nonexistent/node ENOENT; restarting it in 0.04 s',
      'compute did not start: spawn /nonexistent/node ENOENT; restarting it in 0.08 s',
    ]);
  });

  it('waits longer before each restart of a role that dies again and again, up to a limit', async () => {
    role = open(['dies']);
    await role.start();
    await until('five restarts', () => reported.length >= 5);
    const pauses = [0.02, 0.04, 0.08, 0.08, 0.08];
    assert.deepEqual(
      reported.slice(0, 5),
      pauses.map((seconds) => `compute ended (code 3); restarting it in ${seconds} s`),
    );
  });

  it('throws when the role cannot be started at first', async () => {
    const { execPath } = process;
    process.execPath = '/nonexistent/node';
    try {
      role = open(['lives']);
      await assert.rejects(role.start(), {
        code: 'unexpected',
        message: 'compute did not start: spawn /nonexistent/node ENOENT',
      });
    } finally {
      process.execPath = execPath;
    }
  });

  it('lets a role take its time to end, and kills one that takes longer', async () => {
    role = open(['lives', '500']);
    await role.start();
    const started = performance.now();
    await role.stop();
    assert.ok(performance.now() - started >= 490);
    role = open(['lives', '60000'], { stopMs: 100 });
    await role.start();
    const ended = pid();
    await role.stop();
    assert.equal(processStart(ended), undefined);
    assert.deepEqual(reported, []);
  });

  it('starts nothing after it was stopped', async () => {
    role = open(['dies'], { pause: new RestartPause({ ...times, firstMs: 3_000, longestMs: 3_000 }) });
    await role.start();
    await until('its end', () => reported.length === 1);
    const ended = pid();
    await role.stop();
    await new Promise((resolve) => setTimeout(resolve, 3_200));
    assert.deepEqual([pid(), reported.length], [ended, 1]);
  });
});

describe('RestartPause', () => {
  it('begins anew after the process was healthy, and not after it was ready for a moment', async () => {
    const pause = new RestartPause({ firstMs: 10, longestMs: 1_000, healthyMs: 50 });
    assert.deepEqual([pause.next(), pause.next()], [10, 20]);
    pause.noteReady();
    assert.equal(pause.next(), 40);
    pause.noteReady();
    await until(
      'the process to be healthy',
      () => new Promise((resolve) => setTimeout(() => resolve(true), 60)),
    );
    assert.deepEqual([pause.next(), pause.next()], [10, 20]);
  });
});
