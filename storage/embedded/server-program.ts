import { AppError } from '../../compute/model/errors.js';

/** A database program that was found on this machine, and how to run it. */
export interface ServerProgram {
  kind: 'redis' | 'mongodb';
  /** Product and version, e.g. `Redis 7.0.15`. */
  title: string;
  /** Where the program came from, e.g. `/usr/bin/redis-server`. */
  origin: string;
  /** Of a fallback, why each candidate before it was not taken. */
  tried?: readonly string[];
  command: string;
  /** The Unix socket that it listens on. A program without one listens on a loopback port. */
  socket?: string;
  /** The data folder must be a separate argument, because `endOrphans` recognises the process by it. No secrets: `ps` shows it. */
  args(port: number): string[];
  /** The URL for clients, with the credentials that they need. */
  url(port: number): string;
  env?: NodeJS.ProcessEnv;
  folder: string;
  /** Whether the process with this pid answers on the port; false if another process answers. */
  isReady(port: number, pid: number): Promise<boolean>;
}

/** Options of a server with their values, each as two arguments. */
export const serverOptions = (options: Readonly<Record<string, string>>): string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);

/** One way to find a server program. `find` throws `server_not_found` with the reason when it fails. */
export interface ServerCandidate {
  name: string;
  /** What the program is, if it is a substitute for those before it. */
  fallback?: string;
  find(): Promise<ServerProgram>;
}

/** The first program that is found. Throws `server_not_found` with `advice` and all attempts. */
export async function firstProgram(candidates: ServerCandidate[], advice: string): Promise<ServerProgram> {
  const tried: string[] = [];
  for (const candidate of candidates) {
    try {
      const program = await candidate.find();
      return candidate.fallback === undefined ? program : asFallback(program, candidate.fallback, tried);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'server_not_found') throw error;
      tried.push(`${candidate.name}: ${error.message}`);
    }
  }
  throw new AppError('server_not_found', `${advice} Tried: ${tried.join('; ')}`);
}

/** The program with an origin that says what it is and, with the first reason, why it was taken. */
function asFallback(program: ServerProgram, what: string, tried: readonly string[]): ServerProgram {
  const why = tried.length > 0 ? `; ${tried[0]}` : '';
  return { ...program, origin: `${program.origin} (fallback: ${what}${why})`, tried };
}
