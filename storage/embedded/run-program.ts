import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { AppError } from '../../compute/model/errors.js';
import { childEnvironment } from './child-environment.js';

export interface RunProgramOptions {
  /** Default: `childEnvironment`. */
  env?: NodeJS.ProcessEnv;
  /** The program is killed after this time. */
  timeoutMs: number;
  /** The program is killed if it has printed nothing within this time after its start. */
  silenceMs?: number;
  onLine?(line: string): void;
}

/**
 * Runs a program and returns its standard output. Throws `server_not_found` with the last line of its standard error when
 * it cannot be run, fails or takes too long.
 */
export async function runProgram(
  program: string,
  args: string[],
  options: RunProgramOptions,
): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: options.env ?? childEnvironment(),
  });
  let output = '';
  let lastError = '';
  let overdue = false;
  const end = () => {
    overdue = true;
    child.kill('SIGKILL');
  };
  const timers = [setTimeout(end, options.timeoutMs)];
  if (options.silenceMs !== undefined) timers.push(setTimeout(end, options.silenceMs));
  createInterface({ input: child.stdout }).on('line', (line) => {
    clearTimeout(timers[1]);
    output += `${line}\n`;
    options.onLine?.(line);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    lastError = line.trim() || lastError;
  });
  const failure = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${code ?? signal}`));
  });
  timers.forEach((timer) => clearTimeout(timer));
  if (failure === undefined) return output;
  const reason = overdue ? 'took too long' : lastError || failure;
  throw new AppError('server_not_found', `"${program}": ${reason}`);
}
