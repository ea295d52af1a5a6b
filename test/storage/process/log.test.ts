import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectRoot } from '../../support/harness/paths.js';
import { TerminalProcess } from '../../support/process/on-terminal.js';

const log = new URL('../../../storage/process/log.js', import.meta.url).href;

describe('openLog', () => {
  it('leaves secrets out, by the names they have', async () => {
    const names = ['password', 'token', 'secret', 'apiKey', 'apiSecret', 'passphrase'];
    const fields = Object.fromEntries(names.map((name) => [name, `s3cret-${name}`]));
    const line = JSON.stringify({ ...fields, input: fields, asset: 'BTC' });
    const script = `import { openLog } from '${log}'; openLog({ LOG_LEVEL: 'info' }, 'test').info(${line}, 'said');`;
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    type Line = { input: object; asset: string; msg: string; version: string };
    const { input, asset, msg, version } = JSON.parse(stderr) as Line;
    assert.deepEqual([asset, msg], ['BTC', 'said']);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(Object.keys(input), names);
    assert.doesNotMatch(stderr, /s3cret/);
  });

  const print = async (settings: object, env: Record<string, string> = {}) => {
    const script = `import { openLog } from '${log}';
      const log = openLog(${JSON.stringify(settings)}, 'market');
      log.info({ timings: { pool: 1 } }, 'job done');
      log.warn({ token: 's3cret', err: new Error('no answer') }, 'not sent');`;
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...env },
    });
    return stderr;
  };

  it('writes short lines where that is set, without jobs that succeeded unless everything is asked for', async () => {
    assert.match(
      await print({ LOG_LEVEL: 'info', LOG_FORMAT: 'pretty' }),
      /^\[\d\d:\d\d:\d\d\] WARN: market {2}not sent token=\[redacted\] \(no answer\)\n$/,
    );
    assert.match(await print({ LOG_LEVEL: 'debug', LOG_FORMAT: 'pretty' }), /INFO: market {2}job done\n/);
  });

  it('writes JSON outside of a terminal', async () => {
    for (const LOG_FORMAT of [undefined, 'auto', 'json']) {
      const lines = (await print({ LOG_LEVEL: 'info', LOG_FORMAT })).trim().split('\n');
      assert.deepEqual(
        lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
        ['job done', 'not sent'],
      );
    }
  });

  it('follows the terminal unless it is set', async () => {
    const run = async (LOG_FORMAT: string, env: Record<string, string> = {}) => {
      const script = `import { openLog } from '${log}'; openLog({ LOG_LEVEL: 'info', LOG_FORMAT: '${LOG_FORMAT}' }, 'market').info('hello');`;
      const args = ['--input-type=module', '-e', script];
      const running = new TerminalProcess(process.execPath, args, { cwd: projectRoot, env });
      assert.equal(await running.exit, 0);
      return running.output;
    };
    assert.match(
      await run('auto'),
      /^\[\d\d:\d\d:\d\d\] \u001b\[32mINFO\u001b\[39m: \S*market {2}hello\S*\r\n$/,
    );
    assert.match(await run('auto', { NO_COLOR: '1' }), /^\[\d\d:\d\d:\d\d\] INFO: market {2}hello\r\n$/);
    assert.match(await run('json'), /^{"level":30,.*"msg":"hello"}\r\n$/);
  });
});
