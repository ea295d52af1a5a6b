import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fetchedNpm } from '../../bench/fetched.js';
import { projectRoot } from '../harness/paths.js';

/** The revisions of the protocol that the connector is held against. */
export const conformanceRevisions = ['2025-11-25', '2026-07-28'] as const;

const release = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** What the suite found: its whole output, and the scenarios that the revision requires. */
export interface ConformanceRun {
  output: string;
  passed: string[];
  failed: string[];
}

/** The program of the conformance suite, which is fetched into `.data/bench`. Throws if it can't be fetched. */
export const conformanceSuite = (): string =>
  join(fetchedNpm('conformance', [release]), 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Why a test is skipped that needs `newerNode`. */
export const noNewerNode =
  'no Node 22 or later: run the tests on one; `test/node.sh 24 true` fetches one for good';

/** A Node of version 22 or later that is here already: the suite needs one. Null if there is none. */
export function newerNode(): string | null {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const folder = join(projectRoot, '.data/node');
  const versions = existsSync(folder) ? readdirSync(folder) : [];
  const platform = `node-${process.platform}-${process.arch}`;
  const found = versions
    .filter((version) => Number(version.split('.')[0]) >= 22)
    .map((version) => join(folder, version, 'node_modules', platform, 'bin/node'));
  return found.find((path) => existsSync(path)) ?? null;
}

/** Runs every scenario of a revision against the connector at the URL. `command` starts the suite. */
export async function runConformance(
  command: readonly string[],
  url: string,
  revision: string,
  more: readonly string[] = [],
): Promise<ConformanceRun> {
  const options = ['--url', `${url}/mcp`, '--requirements', revision, ...more];
  const [program, ...args] = [...command, 'server', ...options];
  const run = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(run.stdout), once(run, 'close')]);
  return { output, ...requiredScenarios(output) };
}

/** The scenarios of the summary, without those that are not scored. */
function requiredScenarios(output: string): Pick<ConformanceRun, 'passed' | 'failed'> {
  const unscored = new Set([...output.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const all = [...output.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed/gm)];
  const required = all.filter(([, , name]) => !unscored.has(name));
  const marked = (mark: string) => required.filter(([, each]) => each === mark).map(([, , name]) => name);
  return { passed: marked('✓'), failed: marked('✗') };
}
