import { execFileSync } from 'node:child_process';

/** The commit that stands for the release before the first one. */
export const beforeFirstRelease = 'daf0db9387814c63ca23786d3529be418bbecec5';

const yearSeconds = 366 * 86_400;

/**
 * The commits of the release before what the folder holds and of those within the year before it, the latest first: tags that are not
 * HEAD itself. A clone without tags names releases in CHANGELOG.md: the commit of one is that which wrote its date. Before the first
 * release it is `beforeFirstRelease` alone.
 */
export function earlierReleases(folder: string): [previous: string, ...older: string[]] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const timeOf = (commit: string) => Number(git('show', '-s', '--format=%ct', commit));
  const tagged = git('tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-version:refname')
    .split('\n')
    .filter((tag) => tag !== '')
    .map((tag) => git('rev-list', '-n', '1', tag));
  const dated = git('show', 'HEAD:CHANGELOG.md').match(/^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/gm) ?? [];
  const written = () =>
    dated.map(
      (line) => git('log', '--format=%H', '--reverse', `-S${line}`, '--', 'CHANGELOG.md').split('\n')[0],
    );
  const head = git('rev-parse', 'HEAD');
  const isEarlier = (commit: string) => commit !== head;
  const found = tagged.filter(isEarlier);
  const [previous = beforeFirstRelease, ...older] = found.length > 0 ? found : written().filter(isEarlier);
  return [previous, ...older.filter((commit) => timeOf(head) - timeOf(commit) < yearSeconds)];
}
