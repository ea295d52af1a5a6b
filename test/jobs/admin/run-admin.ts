import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../jobs/admin/main.js', import.meta.url));

export interface AdminResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the admin command in a folder as `npm run admin -- <args>` does, with no settings but the given ones and this on standard input. */
export async function runAdmin(
  args: string[],
  { folder, env, input }: { folder: string; env: Record<string, string>; input?: string | undefined },
): Promise<AdminResult> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may end without having read it.
  child.stdin.on('error', () => undefined).end(input ?? '');
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit') as Promise<[number]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}
