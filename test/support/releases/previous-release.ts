import { execFileSync } from 'node:child_process';

/** The commit that stands for the release before the first one. */
export const beforeFirstRelease = 'daf0db9387814c63ca23786d3529be418bbecec5';

/**
 * The commit of the release before what the folder holds: the latest tag that is not HEAD itself. A clone without tags names releases in
 * CHANGELOG.md: the commit of one is that which wrote its date. Before the first release it is `beforeFirstRelease`.
 */
export function previousRelease(folder: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const head = git('rev-parse', 'HEAD');
  const tags = git('tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-version:refname').split('\n');
  const tagged = tags
    .filter((tag) => tag !== '')
    .map((tag) => git('rev-list', '-n', '1', tag))
    .find((commit) => commit !== head);
  if (tagged !== undefined) return tagged;
  const dated = git('show', 'HEAD:CHANGELOG.md').match(/^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/gm) ?? [];
  const written = dated
    .map((line) => git('log', '--format=%H', '--reverse', `-S${line}`, '--', 'CHANGELOG.md').split('\n')[0])
    .find((commit) => commit !== head);
  return written ?? beforeFirstRelease;
}
