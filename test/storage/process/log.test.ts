import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const log = new URL('../../../storage/process/log.js', import.meta.url).href;

describe('openLog', () => {
  it('leaves secrets out, by the names they have', async () => {
    const names = ['password', 'token', 'secret', 'apiKey', 'apiSecret', 'passphrase'];
    const fields = Object.fromEntries(names.map((name) => [name, `s3cret-${name}`]));
    const line = JSON.stringify({ ...fields, input: fields, asset: 'BTC' });
    const script = `import { openLog } from '${log}'; openLog({ LOG_LEVEL: 'info' }, 'test').info(${line}, 'said');`;
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    const { input, asset, msg } = JSON.parse(stderr) as { input: object; asset: string; msg: string };
    assert.deepEqual([asset, msg], ['BTC', 'said']);
    assert.deepEqual(Object.keys(input), names);
    assert.doesNotMatch(stderr, /s3cret/);
  });
});
