import { AppError } from '../../compute/model/errors.js';

/** A database program that was found on this machine, and how to run it. */
export interface ServerProgram {
  kind: 'redis' | 'mongodb';
  /** Product and version, e.g. `Redis 7.0.15`. */
  title: string;
  /** Where the program came from, e.g. `/usr/bin/redis-server`. */
  origin: string;
  command: string;
  /** The data folder must be an argument of its own: by it the process is recognised later. */
  args(port: number): string[];
  env?: NodeJS.ProcessEnv;
  folder: string;
  /** Whether the process answers on the port; false for another process that happens to have it. */
  isReady(port: number, pid: number): Promise<boolean>;
}

/** One way to come by a server program. `find` throws `server_not_found` with the reason when it leads nowhere. */
export interface ServerCandidate {
  name: string;
  find(): Promise<ServerProgram>;
}

/** The first program the candidates lead to. Throws `server_not_found` with everything that was tried. */
export async function firstProgram(candidates: ServerCandidate[], advice: string): Promise<ServerProgram> {
  const tried: string[] = [];
  for (const candidate of candidates) {
    try {
      return await candidate.find();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'server_not_found') throw error;
      tried.push(`${candidate.name}: ${error.message}`);
    }
  }
  throw new AppError('server_not_found', `${advice} Tried: ${tried.join('; ')}`);
}
