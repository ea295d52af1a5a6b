import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { skip } from '../support/harness/skip.js';
import { builtRelease } from '../support/releases/built-release.js';
import { beforeFirstRelease, previousRelease } from '../support/releases/previous-release.js';
import { serveBeside } from '../support/releases/serve-beside.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

describe('the release before this one', function () {
  this.timeout(600_000);

  it('is the last tag, else what CHANGELOG.md has dated, else the commit before the first', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-releases-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).trim();
    const commit = (text: string) => {
      writeFileSync(join(folder, 'CHANGELOG.md'), text);
      git('add', '.');
      git('commit', '-qm', 'a change');
      return git('rev-parse', 'HEAD');
    };
    try {
      git('init', '-q');
      commit('# Changelog\n\n## 0.1.0 (pending)\n');
      assert.equal(previousRelease(folder), beforeFirstRelease);
      const first = commit('# Changelog\n\n## 0.1.0 (2026-12-01)\n');
      assert.equal(previousRelease(folder), beforeFirstRelease);
      commit('# Changelog\n\n## 0.2.0 (pending)\n\n## 0.1.0 (2026-12-01)\n');
      assert.equal(previousRelease(folder), first);
      const second = commit('# Changelog\n\n## 0.2.0 (2027-01-05)\n\n## 0.1.0 (2026-12-01)\n');
      assert.equal(previousRelease(folder), first);
      git('tag', 'v0.2.0');
      assert.equal(previousRelease(folder), first);
      commit('# Changelog\n\n## 0.3.0 (pending)\n\n## 0.2.0 (2027-01-05)\n\n## 0.1.0 (2026-12-01)\n');
      assert.equal(previousRelease(folder), second);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('serves beside this one on one database, which it has made', async function () {
    const hasGit = (commit: string) =>
      execFileSync('git', ['cat-file', '-t', commit], { cwd: projectRoot, encoding: 'utf8' }).trim();
    let commit: string;
    try {
      commit = previousRelease(projectRoot);
      assert.equal(hasGit(commit), 'commit');
    } catch {
      return skip(this, 'no git history with the release before: clone the whole repository');
    }
    const servers = { REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() };
    const outcome = await serveBeside(builtRelease(commit), servers, 5);
    assert.deepEqual(outcome.failed, [], [...outcome.failed, outcome.errors].join('\n'));
    const kinds = ['sign in', 'chart', 'backtest', 'analysis', 'positions', 'tool'];
    for (const name of ['older', 'newer', 'newer alone'])
      for (const kind of kinds) assert.ok(outcome.answered[`${name}: ${kind}`] > 0, `${name}: ${kind}`);
    const entries = Object.values(outcome.entries);
    assert.ok(entries.length > 2, `${entries.length} signals`);
    for (const sides of entries) assert.deepEqual(sides, ['buy']);
    assert.deepEqual(outcome.exits, [0, 0]);
  });
});
