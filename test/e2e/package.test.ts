import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { processesOf } from '../support/process/processes-of.js';
import { CommandProcess, freePort } from '../support/process/service-process.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';
import { until } from '../support/process/until.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

interface Packed {
  unpackedSize: number;
  files: { path: string; size: number }[];
}

describe('the package of a release', () => {
  const folder = temporaryFolder();
  let packed: Packed;

  const run = (command: string, args: string[], cwd: string) =>
    execFileSync(command, args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 2 ** 25,
    });

  before(() => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const text = run('npm', args, projectRoot);
    [packed] = JSON.parse(text) as [Packed];
  });

  it('holds what runs and what is read, no sources and no tests, in at most 12 MB', () => {
    const paths = packed.files.map(({ path }) => path);
    const [top, other] = [
      /^(dist|deploy|gateway\/web\/examples)\//,
      /\.md$|^LICENSE$|^package\.json$|^npm-shrinkwrap\.json$/,
    ];
    assert.deepEqual(
      paths.filter((path) => !top.test(path) && !other.test(path)),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => path.startsWith('dist/test/')),
      [],
    );
    assert.ok(paths.includes('gateway/web/examples/send-signal.sh'), 'what the pages say to run');
    assert.ok(packed.unpackedSize < 12e6, `${packed.unpackedSize} bytes`);
  });

  it('is installed in an empty folder and runs there: no sources, no compiler, nothing but its own packages', async function () {
    this.timeout(300_000);
    const unpacked = join(folder.path, 'unpacked');
    for (const { path } of packed.files) {
      mkdirSync(dirname(join(unpacked, path)), { recursive: true });
      cpSync(join(projectRoot, path), join(unpacked, path));
    }
    // As `prepack` does, but not in the folder of the tests that run beside this one.
    cpSync(join(projectRoot, 'package-lock.json'), join(unpacked, 'npm-shrinkwrap.json'));
    run('npm', ['ci', '--omit=dev', '--prefer-offline'], unpacked);
    assert.deepEqual(
      ['typescript', 'mocha', '@types/node'].filter((name) =>
        existsSync(join(unpacked, 'node_modules', name)),
      ),
      [],
    );

    const env = {
      ...{ REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() },
      ...{
        DATA_DIR: join(folder.path, 'data'),
        PORT: String(await freePort()),
        MARKET: 'csv',
        LOG_LEVEL: 'warn',
      },
    };
    const service = new CommandProcess('npm', ['start', '--silent'], env, unpacked);
    const [, url, email, password] = await service.printed(
      /ready at (\S+)\n(?:.*\n)*sign in as (\S+) with password (\S+)\n/,
    );
    for (const path of ['/docs', '/openapi.json', '/dashboard', '/site/site.css', '/docs/docs.js', '/'])
      assert.equal((await fetch(url + path)).status, 200, path);
    const login = await fetch(`${url}/backend/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { payload } = (await login.json()) as { payload: { token: string } };
    assert.match(service.output, /market csv: no candles yet: npm run admin -- candles import/);
    const file = join(projectRoot, 'test/fixtures/candle-files/BTC_USDT-1h.json');
    const admin = ['run', '--silent', 'admin', '--', 'candles', 'import', '--file', file];
    const imported = new CommandProcess('npm', admin, env, unpacked);
    assert.equal(await imported.exit, 0, imported.errors);
    assert.match(imported.output, /^BTC\/USDT 1h: 100 rows read, 100 stored/);
    const account = await fetch(`${url}/backend/account`, { headers: { 'session-token': payload.token } });
    assert.equal(((await account.json()) as { payload: { plan: string } }).payload.plan, 'pro');
    const chart = await fetch(`${url}/backend/core-line/chart`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ asset: 'BTC', interval: '1h' }),
    });
    assert.equal(((await chart.json()) as { payload: { source: string } }).payload.source, 'csv');
    await until('all roles', async () => (await fetch(`${url}/readyz`)).status === 200);
    await service.interrupt();
    await until('the end of all it started', () => processesOf(join(folder.path, 'data')).length === 0);
    assert.equal(service.errors, '');
  });

  it('says in one sentence that dist is missing', () => {
    cpSync(join(projectRoot, 'package.json'), join(folder.path, 'package.json'));
    for (const script of ['start', 'compute']) {
      const { status, stderr } = spawnSync('npm', ['run', '--silent', script], {
        cwd: folder.path,
        encoding: 'utf8',
      });
      assert.deepEqual([status, stderr], [1, 'error: dist is missing: run npm run build\n']);
    }
  });
});
