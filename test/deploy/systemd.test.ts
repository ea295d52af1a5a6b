import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { skip } from '../support/harness/skip.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';

const units = ['tidemark@.service', 'tidemark.target'];
const roles = ['gateway', 'compute', 'market', 'signals'];

// systemd-analyze reads the units as systemd does; that they start is not seen here, because containers of tests run no systemd.
describe('the systemd units', () => {
  let folder: string;
  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', args, {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    });

  before(function () {
    if (spawnSync('systemd-analyze', ['--version']).status !== 0)
      skip(this, 'no systemd-analyze: install systemd');
    folder = mkdtempSync(join(tmpdir(), 'tidemark-units-'));
    for (const unit of units) cpSync(join(projectRoot, 'deploy/systemd', unit), join(folder, unit));
    for (const role of roles) cpSync(join(folder, units[0]), join(folder, `tidemark@${role}.service`));
  });
  after(() => folder && rmSync(folder, { recursive: true }));

  it('are read without a word', () => {
    const named = [units[1], ...roles.map((role) => `tidemark@${role}.service`)];
    const { status, stdout, stderr } = analyze('verify', ...named.map((unit) => join(folder, unit)));
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  });

  it('give a role an exposure of at most 3.0', function () {
    const { stdout, stderr } = analyze('security', '--offline=yes', join(folder, 'tidemark@compute.service'));
    if (stderr.includes('unrecognized option'))
      skip(this, 'this systemd-analyze judges no files: version 250 does');
    const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    assert.ok(Number(exposure) <= 3, stdout + stderr);
  });
});

describe('tidemark-admin', () => {
  const folder = temporaryFolder();

  it('runs a command with the settings and secrets of the units', () => {
    const run = () =>
      spawnSync(
        'sh',
        [join(projectRoot, 'deploy/systemd/tidemark-admin'), 'backup', 'list', '--in', folder.path],
        {
          encoding: 'utf8',
          env: { PATH: process.env.PATH, TIDEMARK_ETC: folder.path, TIDEMARK_HOME: projectRoot },
        },
      );
    assert.match(run().stderr, /tidemark.env is missing: the units need PUBLIC_URL in it\n$/);
    mkdirSync(join(folder.path, 'secrets'));
    const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
    write('tidemark.env', '# ours\nMAIL_FROM=Tide <a@example.com>\n');
    write('secrets/redis_url', 'redis://redis');
    write('secrets/mongodb_url', 'mongodb://mongodb');
    write('secrets/secrets_key', 'ab'.repeat(32));
    assert.equal(run().stderr, 'error: settings: PUBLIC_URL must be set where NODE_ENV is production\n');
    write('tidemark.env', 'PUBLIC_URL=https://tidemark.example\n');
    const { status, stdout, stderr } = run();
    assert.deepEqual([status, stdout, stderr], [0, `there are no backups in "${folder.path}"\n`, '']);
  });
});
