import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/harness/paths.js';

/** Where benchmarks keep what they fetch and write; nothing in it is a dependency. */
export const benchFolder = join(projectRoot, '.data/bench');

/** A folder of `.data/bench` with these pinned packages, which `install` puts there unless they are there already. */
function fetched(name: string, packages: readonly string[], install: (folder: string) => void): string {
  const folder = join(benchFolder, name);
  const list = join(folder, 'fetched.txt');
  const wanted = packages.join('\n');
  if (existsSync(list) && readFileSync(list, 'utf8') === wanted) return folder;
  mkdirSync(folder, { recursive: true });
  console.error(`fetching ${packages.join(', ')} into ${folder}`);
  install(folder);
  writeFileSync(list, wanted);
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

/** npm packages, in the `node_modules` of a folder. */
export const fetchedNpm = (name: string, packages: readonly string[]): string =>
  fetched(name, packages, (folder) =>
    execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, ...packages], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  );
