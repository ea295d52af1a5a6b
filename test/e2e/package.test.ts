import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from '../support/harness/paths.js';
import { RoleChild } from '../support/process/role-child.js';
import { temporaryFolder } from '../support/process/temporary-folder.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

interface Packed {
  unpackedSize: number;
  files: { path: string; size: number }[];
}

describe('the package of a release', () => {
  const folder = temporaryFolder();
  let packed: Packed;

  before(() => {
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const text = execFileSync('npm', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 2 ** 25 });
    [packed] = JSON.parse(text) as [Packed];
  });

  it('holds what runs and what is read, no sources and no tests, in at most 17 MB', () => {
    const paths = packed.files.map(({ path }) => path);
    const [top, other] = [/^(dist|deploy)\//, /\.md$|^LICENSE$|^package\.json$|^npm-shrinkwrap\.json$/];
    assert.deepEqual(
      paths.filter((path) => !top.test(path) && !other.test(path)),
      [],
    );
    assert.deepEqual(
      paths.filter((path) => path.startsWith('dist/test/')),
      [],
    );
    assert.ok(packed.unpackedSize < 17e6, `${packed.unpackedSize} bytes`);
  });

  it('runs where nothing else is: no sources, no compiler', async () => {
    for (const { path } of packed.files.filter(({ path }) => path.startsWith('dist/'))) {
      mkdirSync(dirname(join(folder.path, path)), { recursive: true });
      cpSync(join(projectRoot, path), join(folder.path, path));
    }
    symlinkSync(join(projectRoot, 'node_modules'), join(folder.path, 'node_modules'));
    const at = pathToFileURL(join(folder.path, 'dist/test/support/process/role-child.js'));
    const env = { REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() };
    const gateway = await RoleChild.start('gateway', env, undefined, at);
    for (const path of ['/docs', '/openapi.json', '/dashboard', '/site/site.css', '/docs/docs.js', '/'])
      assert.equal((await fetch(gateway.facts.url + path)).status, 200, path);
    assert.equal(await gateway.stop(), 0);
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
