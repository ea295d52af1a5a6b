import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../jobs/run.js', import.meta.url));
const manyCommands = fileURLToPath(new URL('admin-process-main.js', import.meta.url));

export interface AdminResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** How a command is run: its arguments, its folder, its settings and its standard input. */
export interface AdminCall {
  args: readonly string[];
  folder: string;
  env: Record<string, string>;
  input?: string | undefined;
}

const ownEnv = () => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' });

/** Runs the admin command in a folder as `npm run admin -- <args>` does, with no settings but the given ones and this on standard input. */
export async function runAdmin(
  args: readonly string[],
  { folder, env, input }: Omit<AdminCall, 'args'>,
): Promise<AdminResult> {
  const child = spawn(process.execPath, [program, 'admin', ...args], {
    cwd: folder,
    env: { ...ownEnv(), ...env },
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

/**
 * Like `runAdmin`, for a suite of many commands; call it in `describe`. One process runs them one after the other: to load
 * the program takes longer than most commands.
 */
export function adminCommands(): typeof runAdmin {
  let child: ChildProcess;
  let ended: Promise<never>;
  let last: Promise<unknown> = Promise.resolve();
  before(() => {
    child = fork(manyCommands, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    ended = once(child, 'exit').then(() => Promise.reject(new Error('a command has ended the process')));
    ended.catch(() => undefined);
  });
  after(() => child.kill());
  return (args, { env, ...more }) => {
    const run = async () => {
      const answer = once(child, 'message') as Promise<[AdminResult]>;
      child.send({ args, env: { ...ownEnv(), ...env }, ...more } satisfies AdminCall);
      return (await Promise.race([answer, ended]))[0];
    };
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}
