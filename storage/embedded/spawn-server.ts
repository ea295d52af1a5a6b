import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { childEnvironment } from './child-environment.js';
import type { ServerProgram } from './server-program.js';
import type { Socket } from 'node:net';

/**
 * Waits until its standard input is closed, which happens when the process that started it ends. Then it ends process $1 if
 * its command line still contains the folder $2, because another process may have got its id by then.
 */
const script = `
folder=\${2#in:}
is_there() { kill -0 "$1" 2>&- && { [ ! -e /proc/self ] || grep -qaF -- "$folder" "/proc/$1/cmdline"; }; }
read -r _
sleep "$3"
is_there "$1" || exit 0
kill -TERM "$1"
for _ in 1 2 3 4 5 6 7 8; do sleep 1; is_there "$1" || exit 0; done
kill -KILL "$1"`;

/** Processes that use the servers notice the end too; they get this long to finish their work. */
const graceSeconds = 2;

/**
 * Ends a server when this process ends, even by `kill -9`, by a shell process (1 MB) that waits for it. Returns a function
 * that stops the shell.
 */
function endWithHolder(pid: number, folder: string): () => void {
  // As an argument of its own, the folder would make `endOrphans` take the shell for a server.
  const args = ['-c', script, 'tidemark-guard', String(pid), `in:${folder}`, String(graceSeconds)];
  // In its own process group, because a signal to this process's group must not end the shell too.
  const guard = spawn('sh', args, {
    detached: true,
    env: childEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell, the next start on the data folder ends servers left behind.
  guard.on('error', () => undefined);
  guard.unref();
  // Undefined when no file descriptors are left.
  const input = guard.stdin as Socket | undefined;
  input?.on('error', () => undefined);
  input?.unref();
  return () => guard.kill('SIGKILL');
}

const readyWithinMs = 120_000;
const stopWithinMs = 8_000;
const largestLogBytes = 10_000_000;

/** A server process that is ready. `ended` resolves when it has exited, with a text that says how. */
export interface RunningServer {
  pid: number;
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the program on the port and waits until it is ready. Throws `redis_unavailable` or `mongodb_unavailable` with the
 * last lines of its log when it exits, does not answer in time, or `signal` is aborted.
 */
export async function spawnServer(
  program: ServerProgram,
  port: number,
  logFile: string,
  signal: AbortSignal,
): Promise<RunningServer> {
  const log = openLog(logFile);
  const child = spawnPrivately(program, port, log.fd);
  const server = watch(child, program.folder);
  try {
    await waitUntilReady(program, port, server, signal);
    return server;
  } catch (cause) {
    await server.stop();
    const code = program.kind === 'redis' ? 'redis_unavailable' : 'mongodb_unavailable';
    const lines = lastLines(logFile, log.size);
    const reason = `${program.title} did not start: ${(cause as Error).message}; its log "${logFile}" ends: ${lines}`;
    throw new AppError(code, reason, { cause });
  }
}

/** Starts the program. Only this user can read the files that it creates. Closes `logFd`. */
function spawnPrivately(program: ServerProgram, port: number, logFd: number): ChildProcess {
  const formerMask = process.umask(0o077);
  try {
    return spawn(program.command, program.args(port), {
      // In its own process group, because Ctrl-C in the terminal must not stop the server before its clients.
      detached: true,
      cwd: program.folder,
      env: program.env ?? childEnvironment(),
      stdio: ['ignore', logFd, logFd],
    });
  } finally {
    process.umask(formerMask);
    closeSync(logFd);
  }
}

function watch(child: ChildProcess, folder: string): RunningServer {
  let living = true;
  const dismissGuard = child.pid === undefined ? () => undefined : endWithHolder(child.pid, folder);
  // If this process exits without closing (an uncaught error), its servers exit too.
  const endWithUs = () => child.kill('SIGTERM');
  process.on('exit', endWithUs);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`ended with ${code ?? signal}`));
  }).finally(() => {
    living = false;
    dismissGuard();
    process.off('exit', endWithUs);
  });
  const stop = async () => {
    if (living) child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    await ended;
    clearTimeout(timer);
  };
  return { pid: child.pid ?? 0, ended, stop };
}

async function waitUntilReady(
  program: ServerProgram,
  port: number,
  server: RunningServer,
  signal: AbortSignal,
) {
  let end: string | undefined;
  void server.ended.then((reason) => (end = reason));
  const limit = Date.now() + readyWithinMs;
  while (!(await program.isReady(port, server.pid))) {
    if (end !== undefined) throw new Error(end);
    if (signal.aborted) throw new Error('it was stopped');
    if (Date.now() > limit) throw new Error(`no answer within ${readyWithinMs / 1_000} s`);
    await delay(20);
  }
}

function openLog(file: string): { fd: number; size: number } {
  if (existsSync(file) && statSync(file).size > largestLogBytes) renameSync(file, `${file}.1`);
  return { fd: openSync(file, 'a', 0o600), size: existsSync(file) ? statSync(file).size : 0 };
}

function lastLines(file: string, from: number): string {
  const lines = readFileSync(file).subarray(from).toString().trim().split('\n');
  return lines.slice(-5).join(' | ').slice(-1_500) || 'empty';
}
