import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openSecretBox } from '../../../storage/accounts/open-secret-box.js';
import { temporaryFolder } from '../../support/process/temporary-folder.js';

const program = fileURLToPath(new URL('make-key-main.js', import.meta.url));

describe('openSecretBox', () => {
  const folder = temporaryFolder();
  const open = (SECRETS_KEY = '') => openSecretBox({ SECRETS_KEY, DATA_DIR: folder.path });
  const file = () => join(folder.path, 'secrets.key');

  it('makes a key once, which its owner alone can read', async () => {
    const secret = (await open()).seal('secret', 'here');
    assert.match(await readFile(file(), 'utf8'), /^[0-9a-f]{64}$/);
    assert.equal((await stat(file())).mode & 0o777, 0o600);
    assert.equal((await open()).open(secret, 'here'), 'secret');
  });

  it('makes one key when many processes begin at the same time', async () => {
    const run = () => promisify(execFile)(process.execPath, [program, folder.path]);
    const answers = await Promise.all(Array.from({ length: 6 }, run));
    assert.equal(new Set(answers.map(({ stdout }) => stdout)).size, 1);
    assert.deepEqual(await readdir(folder.path), ['secrets.key']);
  });

  it('makes no file when keys are given, and still opens with the key of one that is there', async () => {
    const [first, second] = [randomBytes(32), randomBytes(32)];
    const given = await open(first.toString('hex'));
    assert.deepEqual(await readdir(folder.path), []);
    const fromFile = (await open()).seal('of the file', 'here');
    const both = await open(`${second.toString('base64')},${first.toString('hex')}`);
    assert.equal(both.open(fromFile, 'here'), 'of the file');
    assert.equal(both.open(given.seal('of the first', 'here'), 'here'), 'of the first');
    assert.equal(both.isOutdated(fromFile), true);
  });

  it('refuses a file that holds no key, and leaves it', async () => {
    await writeFile(file(), 's3cret');
    await assert.rejects(open(), ({ code, message }: { code: string; message: string }) => {
      assert.equal(code, 'invalid_file');
      return !message.includes('s3cret');
    });
    assert.equal(await readFile(file(), 'utf8'), 's3cret');
  });
});
