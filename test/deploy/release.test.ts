import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';

interface Sbom {
  bomFormat: string;
  components: { name: string; version: string }[];
}

// Of the release only the long steps are replaced: the checks, the release before and the build, which have runs of their own.
describe('npm run release', function () {
  this.timeout(120_000);
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const edit = (file: string, from: string | RegExp, to: string) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    assert.notEqual(text.replace(from, to), text, file);
    writeFileSync(path, text.replace(from, to));
  };
  const commit = () => git('commit', '-qam', 'a change');
  const release = (version: string) => {
    const args = ['run', '--silent', 'release', '--', version];
    return spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  };
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-release-'));
    const files = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const listed = execFileSync('git', files, { cwd: projectRoot });
    const archive = execFileSync('tar', ['c', '--null', '-T', '-'], {
      cwd: projectRoot,
      input: listed,
      maxBuffer: 2 ** 28,
    });
    execFileSync('tar', ['x'], { cwd: folder, input: archive });
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
    cpSync(join(projectRoot, 'dist'), join(folder, 'dist'), { recursive: true, preserveTimestamps: true });
    writeFileSync(join(folder, '.ci/run'), '#!/bin/sh\n[ ! -e .data/fail ] && echo all checks passed\n');
    // The commit of a release itself has the date.
    if (!readFileSync(join(folder, 'CHANGELOG.md'), 'utf8').includes(`## ${version} (pending)`))
      edit('CHANGELOG.md', /^(## \d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/m, '$1 (pending)');
    edit('package.json', /"build": ".*"/, '"build": "test -d dist"');
    edit('package.json', /"prefaults".*\n/, '');
    edit('package.json', /"faults": ".*"/, '"faults": "echo served"');
    git('init', '-q');
    git('config', 'user.name', 'Somebody');
    git('config', 'user.email', 'somebody@example.com');
    git('add', '.');
    git('commit', '-qm', 'everything');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('names all that is missing at once, and tags nothing', () => {
    edit('deploy/helm/tidemark/Chart.yaml', `appVersion: ${version}`, 'appVersion: 0.0.9');
    edit('package-lock.json', /("node_modules\/koa": \{[^}]*"license": )"MIT"/, '$1"SSPL-1.0"');
    const { status, stderr } = release(version);
    assert.equal(status, 1);
    for (const fault of [
      'the tree is not clean: commit or remove what git status lists',
      `the first version in CHANGELOG.md must be "## ${version} (year-month-day)", found "## ${version} (pending)"`,
      `the versions in Chart.yaml must be "${version} ${version}", found "${version} 0.0.9"`,
    ])
      assert.ok(stderr.includes(`error: ${fault}\n`), stderr);
    assert.match(stderr, /error: packages have licences that were not looked at: .*\tSSPL-1\.0\n/);
    assert.match(release('0.1').stderr, /^error: expected a version as in 0\.1\.0, found "0\.1"\n$/);
    assert.equal(git('tag'), '');
    git('checkout', '-q', '.');
  });

  it('ends at checks that fail', () => {
    edit('CHANGELOG.md', '(pending)', '(2026-12-01)');
    commit();
    execFileSync('mkdir', ['-p', '.data'], { cwd: folder });
    writeFileSync(join(folder, '.data/fail'), '');
    assert.equal(release(version).status, 1);
    assert.deepEqual([git('tag'), existsSync(join(folder, '.data/release'))], ['', false]);
    rmSync(join(folder, '.data/fail'));
  });

  it('packs, lists what is in it, sums up and tags, and leaves the tree as it was', () => {
    const { status, stdout, stderr } = release(version);
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /all checks passed\n(.*\n)*served beside 60\n/);
    assert.equal(git('rev-list', '-n', '1', `v${version}`), git('rev-parse', 'HEAD'));
    assert.equal(git('status', '--porcelain'), '');
    const made = join(folder, '.data/release', version);
    const archive = `tidemark-${version}.tgz`;
    assert.deepEqual(readdirSync(made).sort(), ['LICENCES.tsv', 'SHA256SUMS', 'sbom.json', archive]);
    const sums = spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: made, encoding: 'utf8' });
    assert.deepEqual([sums.status, sums.stdout.match(/: OK$/gm)?.length], [0, 3]);
    const packed = execFileSync('tar', ['tzf', join(made, archive)], { encoding: 'utf8' }).split('\n');
    for (const file of [
      'npm-shrinkwrap.json',
      'dist/jobs/run.js',
      'deploy/helm/tidemark/Chart.yaml',
      'LICENSE',
    ])
      assert.ok(packed.includes(`package/${file}`), file);
    const { bomFormat, components } = JSON.parse(readFileSync(join(made, 'sbom.json'), 'utf8')) as Sbom;
    assert.equal(bomFormat, 'CycloneDX');
    const names = components.map(({ name }) => name);
    assert.deepEqual([names.includes('koa'), names.includes('mocha')], [true, false]);
    const licences = readFileSync(join(made, 'LICENCES.tsv'), 'utf8');
    assert.match(licences, /^koa\t[\d.]+\tMIT$/m);
  });

  it('makes no version twice, and none whose date an older commit has written', () => {
    assert.match(release(version).stderr, new RegExp(`^error: the tag v${version} exists\n`));
    git('tag', '-d', `v${version}`);
    git('commit', '-q', '--allow-empty', '-m', 'later');
    assert.match(
      release(version).stderr,
      /^error: the commit that writes the date into CHANGELOG\.md must be /,
    );
  });
});
