import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';

/** Where benchmarks keep what they fetch and write; nothing in it is a dependency. */
export const benchFolder = join(projectRoot, '.data/bench');

/**
 * A folder of `.data/bench` with these pinned packages, which `install` puts there unless they are there already. It appears
 * as a whole: two processes may fetch at once, and one that is killed leaves no half of a package.
 */
function fetched(name: string, packages: readonly string[], install: (folder: string) => void): string {
  const folder = join(benchFolder, name);
  const wanted = packages.join('\n');
  const isThere = () => {
    const list = join(folder, 'fetched.txt');
    return existsSync(list) && readFileSync(list, 'utf8') === wanted;
  };
  if (isThere()) return folder;
  mkdirSync(benchFolder, { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    console.error(`fetching ${packages.join(', ')} into ${folder}`);
    install(draft);
    writeFileSync(join(draft, 'fetched.txt'), wanted);
    if (!isThere()) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(draft, folder);
    }
  } catch (error) {
    if (!isThere()) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Python packages, in a folder to be put on `sys.path`. */
export const fetchedPython = (name: string, packages: readonly string[]): string =>
  fetched(name, packages, (folder) =>
    execFileSync(
      'python3',
      ['-m', 'pip', 'install', '--quiet', '--upgrade', '--target', folder, ...packages],
      { stdio: ['ignore', 'inherit', 'ignore'] },
    ),
  );

/** npm packages, in the `node_modules` of a folder. A newer Node than that of the tests may run them. */
export const fetchedNpm = (name: string, packages: readonly string[]): string =>
  fetched(name, packages, (folder) =>
    execFileSync(
      'npm',
      ['install', '--silent', '--no-save', '--engine-strict=false', '--prefix', folder, ...packages],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    ),
  );
