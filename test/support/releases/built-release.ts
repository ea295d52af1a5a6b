import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../harness/paths.js';

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Whether the packages of this checkout serve that release as well. */
const sharesPackages = (folder: string): boolean =>
  Object.entries(readManifest(folder).dependencies).every(([name, version]) => {
    const installed = join(projectRoot, 'node_modules', name);
    return existsSync(installed) && readManifest(installed).version === version;
  });

/** A release as it was, without its tests, compiled into .data once. Answers its folder; throws where the clone lacks the commit. */
export function builtRelease(commit: string): string {
  const folder = join(projectRoot, '.data/releases', commit);
  if (existsSync(folder)) return folder;
  const draft = `${folder}-${process.pid}`;
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: draft, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] });
  mkdirSync(draft, { recursive: true });
  try {
    // A copy of a checkout may lie in it, untracked; git makes archives at the top alone.
    const top = execFileSync('git', ['rev-parse', '--show-toplevel'], { cwd: projectRoot, encoding: 'utf8' });
    const archive = execFileSync('git', ['archive', commit], { cwd: top.trim(), maxBuffer: 2 ** 28 });
    execFileSync('tar', ['x'], { cwd: draft, input: archive });
    const hasOwn = !sharesPackages(draft);
    if (hasOwn) run('npm', 'ci', '--prefer-offline', '--ignore-scripts');
    else symlinkSync(join(projectRoot, 'node_modules'), join(draft, 'node_modules'));
    const settings = JSON.parse(readFileSync(join(draft, 'tsconfig.json'), 'utf8')) as object;
    const include = ['compute', 'storage', 'jobs', 'gateway'];
    writeFileSync(join(draft, 'tsconfig.release.json'), JSON.stringify({ ...settings, include }));
    // Its types were checked when it was made.
    run(join(projectRoot, 'node_modules/.bin/tsc'), '-b', '--noCheck', 'tsconfig.release.json');
    // Later releases prepare texts in their build.
    if (existsSync(join(draft, 'dist/gateway/prepared/main.js')))
      run(process.execPath, 'dist/gateway/prepared/main.js');
    renameSync(draft, folder);
    return folder;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
