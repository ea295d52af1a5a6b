import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import type { Context } from 'mocha';
import { projectRoot } from '../harness/paths.js';
import { skip } from '../harness/skip.js';

type DeployTool = 'docker-compose' | 'hadolint' | 'helm' | 'kubernetes-validate';

const env = { ...process.env, PATH: `${process.env.PATH}:${join(projectRoot, '.data/tools/bin')}` };

/** Runs a program that judges files of deploy/: the one on PATH, else that of test/tools.sh. */
export const deployTool = (name: DeployTool, args: string[], input?: string): SpawnSyncReturns<string> =>
  spawnSync(name, args, {
    cwd: projectRoot,
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 25,
    ...(input === undefined ? {} : { input }),
  });

/** Skips the tests of a program that is not there. */
export function requireTool(context: Context, name: DeployTool): void {
  if (
    deployTool(name, name === 'helm' || name === 'docker-compose' ? ['version'] : ['--version']).status !== 0
  )
    skip(context, `no ${name}: test/tools.sh installs it`);
}
