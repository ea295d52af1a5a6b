import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../process/service-process.js';
import { allowInBrowser } from '../oauth/allow-in-browser.js';
import type { ConformanceRun } from './conformance-suite.js';

/** The scenarios of the conformance suite for authorization servers. */
export const authorizationScenarios = [
  'authorization-server-metadata-endpoint',
  'authorization-code-grant',
] as const;

/**
 * Runs the scenarios for authorization servers against a service, whose user allows what the suite asks for as soon as it prints
 * the address to open. `command` starts the suite.
 */
export async function runAuthorization(
  command: readonly string[],
  url: string,
  account: { email: string; password: string },
): Promise<ConformanceRun> {
  const port = String(await freePort());
  const [program, ...args] = [...command, 'authorization', '--url', url, '--port', port];
  const client = ['--client-id', 'conformance', '--resource', `${url}/mcp`];
  const run = spawn(program, [...args, ...client], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let isOpened = false;
  run.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const asked = /^(http\S+\/authorize\?\S+)$/m.exec(output)?.[1];
    if (asked === undefined || isOpened) return;
    isOpened = true;
    allowInBrowser(new URL(asked), account)
      .then((back) => fetch(back))
      .catch((error: unknown) => {
        output += String(error);
        run.kill();
      });
  });
  const [code] = (await once(run, 'close')) as [number | null];
  const passed = authorizationScenarios.filter((name) => hasPassed(output, name));
  const failed = authorizationScenarios.filter((name) => code !== 0 || !hasPassed(output, name));
  return { output, passed, failed };
}

const hasPassed = (output: string, scenario: string): boolean =>
  new RegExp(`^✓ ${scenario}: [1-9]\\d* passed, 0 failed`, 'm').test(output);
