import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';
import { skip } from '../support/harness/skip.js';
import { builtRelease } from '../support/releases/built-release.js';
import { beforeFirstRelease, earlierReleases } from '../support/releases/previous-release.js';
import { serveBeside } from '../support/releases/serve-beside.js';
import { freshMongodbUrl, freshRedisUrl } from '../support/servers/servers.js';

describe('the release before this one', function () {
  this.timeout(600_000);

  it('is the last tag and those of a year before, else what CHANGELOG.md has dated, else the commit before the first', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-releases-'));
    let later = 0;
    const git = (...args: string[]) => {
      const date = `${1_795_000_000 + later * 86_400} +0000`;
      const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      const own = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
      return execFileSync('git', [...own, ...args], { cwd: folder, encoding: 'utf8', env }).trim();
    };
    const commit = (text: string) => {
      writeFileSync(join(folder, 'CHANGELOG.md'), text);
      git('add', '.');
      git('commit', '-qm', 'a change');
      return git('rev-parse', 'HEAD');
    };
    try {
      git('init', '-q');
      commit('# Changelog\n\n## 0.1.0 (pending)\n');
      assert.deepEqual(earlierReleases(folder), [beforeFirstRelease]);
      const first = commit('# Changelog\n\n## 0.1.0 (2026-12-01)\n');
      assert.deepEqual(earlierReleases(folder), [beforeFirstRelease]);
      commit('# Changelog\n\n## 0.2.0 (pending)\n\n## 0.1.0 (2026-12-01)\n');
      assert.deepEqual(earlierReleases(folder), [first]);
      const second = commit('# Changelog\n\n## 0.2.0 (2027-01-05)\n\n## 0.1.0 (2026-12-01)\n');
      assert.deepEqual(earlierReleases(folder), [first]);
      git('tag', 'v0.2.0');
      assert.deepEqual(earlierReleases(folder), [first]);
      commit('# Changelog\n\n## 0.3.0 (pending)\n\n## 0.2.0 (2027-01-05)\n\n## 0.1.0 (2026-12-01)\n');
      assert.deepEqual(earlierReleases(folder), [second]);
      git('tag', 'v0.1.0', first);
      assert.deepEqual(earlierReleases(folder), [second, first]);
      later = 400;
      const fourth = commit('# Changelog\n\n## 0.4.0 (pending)\n');
      assert.deepEqual(earlierReleases(folder), [second], 'the last one however old, others of a year');
      git('tag', 'v0.3.0');
      commit('# Changelog\n\n## 0.5.0 (pending)\n');
      assert.deepEqual(earlierReleases(folder), [fourth]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  /** The commits of earlier releases; none, and the test is skipped, where this clone lacks one of them. */
  function releasesFor(test: Mocha.Context) {
    try {
      const commits = earlierReleases(projectRoot);
      for (const commit of commits)
        execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectRoot });
      return commits;
    } catch {
      return skip(test, 'no git history with the release before: clone the whole repository');
    }
  }
  async function requireServed(commit: string, seconds: number, names: readonly string[]) {
    const servers = { REDIS_URL: await freshRedisUrl(), MONGODB_URL: await freshMongodbUrl() };
    const outcome = await serveBeside(builtRelease(commit), servers, seconds);
    assert.deepEqual(outcome.failed, [], [...outcome.failed, outcome.errors].join('\n'));
    const kinds = ['sign in', 'chart', 'backtest', 'analysis', 'positions', 'tool'];
    for (const name of names)
      for (const kind of kinds) assert.ok(outcome.answered[`${name}: ${kind}`] > 0, `${name}: ${kind}`);
    const entries = Object.values(outcome.entries);
    assert.ok(entries.length > 0, 'no signal was sent');
    for (const sides of entries) assert.deepEqual(sides, ['buy']);
    assert.deepEqual(outcome.exits, [0, 0]);
    return entries.length;
  }

  it('serves beside this one on one database, which it has made', async function () {
    const signals = await requireServed(releasesFor(this)[0], 5, ['older', 'newer', 'newer alone']);
    assert.ok(signals > 2, `${signals} signals`);
  });

  it('leaves a database that this one takes over in one step, the oldest of a year too', async function () {
    const [, ...older] = releasesFor(this);
    if (older.length === 0) skip(this, 'one release came before this one, and the test above upgrades it');
    await requireServed(older.at(-1)!, 0, ['older', 'newer alone']);
  });
});
