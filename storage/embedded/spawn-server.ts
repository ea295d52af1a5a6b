import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { endWithHolder } from './end-with-holder.js';
import type { ServerProgram } from './server-program.js';

const readyWithinMs = 120_000;
const stopWithinMs = 8_000;
const largestLogBytes = 10_000_000;

/** A server process that answered. `ended` settles when it is gone, with the words for how. */
export interface RunningServer {
  pid: number;
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the program on the port and waits until it answers. Throws `redis_unavailable` or `mongodb_unavailable` with
 * the last lines of its log when it ends or stays silent; an abort ends it as well.
 */
export async function spawnServer(
  program: ServerProgram,
  port: number,
  logFile: string,
  signal: AbortSignal,
): Promise<RunningServer> {
  const log = openLog(logFile);
  const child = spawn(program.command, program.args(port), {
    // A process group of its own: Ctrl-C in the terminal must not stop the server before its users.
    detached: true,
    cwd: program.folder,
    env: program.env ?? process.env,
    stdio: ['ignore', log.fd, log.fd],
  });
  closeSync(log.fd);
  const server = watch(child, program.folder);
  try {
    await answers(program, port, server, signal);
    return server;
  } catch (cause) {
    await server.stop();
    const code = program.kind === 'redis' ? 'redis_unavailable' : 'mongodb_unavailable';
    const words = lastLines(logFile, log.size);
    const reason = `${program.title} did not start: ${(cause as Error).message}; its log "${logFile}" ends: ${words}`;
    throw new AppError(code, reason, { cause });
  }
}

function watch(child: ChildProcess, folder: string): RunningServer {
  let living = true;
  const dismissGuard = child.pid === undefined ? () => undefined : endWithHolder(child.pid, folder);
  // A process that ends without closing (an uncaught error) still takes its servers along.
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

async function answers(program: ServerProgram, port: number, server: RunningServer, signal: AbortSignal) {
  let end: string | undefined;
  void server.ended.then((words) => (end = words));
  const limit = Date.now() + readyWithinMs;
  while (!(await program.isReady(port, server.pid))) {
    if (end !== undefined) throw new Error(end);
    if (signal.aborted) throw new Error('it was told to stop');
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
