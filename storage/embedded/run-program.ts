import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { AppError } from '../../compute/model/errors.js';

export interface RunProgramOptions {
  env?: NodeJS.ProcessEnv;
  /** Ends the program when it has run this long. */
  timeoutMs: number;
  /** Ends the program when it has said nothing for this long after its start. */
  silenceMs?: number;
  onLine?(line: string): void;
}

/**
 * What the program printed to its standard output. Throws `server_not_found` with its last words when it cannot be
 * run, fails, or takes too long: the reason why a server could not be found this way.
 */
export async function runProgram(
  program: string,
  args: string[],
  options: RunProgramOptions,
): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: options.env ?? process.env });
  let output = '';
  let lastWords = '';
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
    lastWords = line.trim() || lastWords;
  });
  const failure = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${code ?? signal}`));
  });
  timers.forEach((timer) => clearTimeout(timer));
  if (failure === undefined) return output;
  const reason = overdue ? 'took too long' : lastWords || failure;
  throw new AppError('server_not_found', `"${program}": ${reason}`);
}
