import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from './paths.js';

export interface TestFile {
  /** From the project's folder, as in `test/jobs/requests/queue.test.ts`. */
  path: string;
  /** Whether it uses Redis, MongoDB or other processes. All other files are units. */
  needsServers: boolean;
  /** Whether it starts other processes, which takes longest. */
  startsProcesses: boolean;
  bytes: number;
  /** The time limit that it sets for its tests, which those have that take long; 0 without one. */
  timeoutMs: number;
}

/** A test file starts other processes if it imports one of these, itself or through other files of `test`. */
const processImports = [
  'node:child_process',
  'storage/embedded/run-program.ts',
  'storage/embedded/spawn-server.ts',
];
/** The same for servers. */
const serverImports = [
  ...processImports,
  'test/support/servers/servers.ts',
  'storage/embedded/open-servers.ts',
];

/** All test files. The list comes from the sources, so compiled files of removed tests do not count. */
export const testFiles = (): TestFile[] =>
  readdirSync(join(projectRoot, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .sort()
    .map((path) => ({
      path,
      needsServers: reaches(path, serverImports),
      startsProcesses: reaches(path, processImports),
      bytes: statSync(join(projectRoot, path)).size,
      timeoutMs: timeoutOf(path),
    }));

/** Where the compiled form of a source file is. */
export const compiledPath = (path: string): string => join(projectRoot, 'dist', path.replace(/\.ts$/, '.js'));

function timeoutOf(path: string): number {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  const limits = [...text.matchAll(/this\.timeout\(([\d_]+)\)/g)];
  return Math.max(0, ...limits.map(([, limit]) => Number(limit.replaceAll('_', ''))));
}

function reaches(path: string, targets: readonly string[], seen = new Set<string>()): boolean {
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(path).some(
    (imported) =>
      targets.includes(imported) || (imported.startsWith('test/') && reaches(imported, targets, seen)),
  );
}

const knownImports = new Map<string, string[]>();

/** Packages by name, files of the project as paths from its folder. */
function importsOf(path: string): string[] {
  const known = knownImports.get(path);
  if (known) return known;
  const text = readFileSync(join(projectRoot, path), 'utf8');
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'([^']+)'/g)].map(
    ([, name]) => name,
  );
  const imports = specifiers.map((name) => (name.startsWith('.') ? fileOf(path, name) : name));
  knownImports.set(path, imports);
  return imports;
}

const fileOf = (importer: string, specifier: string): string =>
  relative(projectRoot, join(projectRoot, dirname(importer), specifier)).replace(/\.js$/, '.ts');
