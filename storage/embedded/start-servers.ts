import { join } from 'node:path';
import { AppError } from '../../compute/model/errors.js';
import type { Report } from '../process/terminal-report.js';
import { startChildServer, type ChildServer, type ChildServerOptions } from './child-server.js';
import { findMongodbServer, mongodbFolders } from './mongodb-server.js';
import { endOrphans } from './orphans.js';
import { findRedisServer } from './redis-server.js';
import { preparePrivateFolder } from './private-folder.js';
import type { ServerProgram } from './server-program.js';

export interface StartServersOptions extends Pick<ChildServerOptions, 'restarted'> {
  report: Report;
  settings: { REDIS_URL: string; MONGODB_URL: string; SERVERS_DIR: string };
}

/** The servers that were started; undefined for one whose URL is set. */
export interface StartedServers {
  redis: ChildServer | undefined;
  mongodb: ChildServer | undefined;
}

/**
 * Starts a server for each URL that the settings leave empty, with its data in `folder`. If one fails, the other is
 * stopped. Only the holder of the folder may call this.
 */
export async function startServers(folder: string, options: StartServersOptions): Promise<StartedServers> {
  const { settings, report } = options;
  const redisFolder = join(folder, 'redis');
  await endOrphans([redisFolder, ...Object.values(mongodbFolders(folder))], report);
  const start = (isWithoutUrl: boolean, find: () => Promise<ServerProgram>) =>
    isWithoutUrl ? findAndStart(folder, find, options) : Promise.resolve(undefined);
  const results = await Promise.allSettled([
    start(settings.REDIS_URL === '', () => findRedisServer(redisFolder, settings.SERVERS_DIR, report)),
    start(settings.MONGODB_URL === '', () => findMongodbServer(folder, settings.SERVERS_DIR, report)),
  ]);
  const [redis, mongodb] = results.map((result) =>
    result.status === 'fulfilled' ? result.value : undefined,
  );
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (errors.length === 0) return { redis, mongodb };
  await Promise.all([redis?.stop(), mongodb?.stop()]);
  throw oneError(errors);
}

async function findAndStart(
  folder: string,
  find: () => Promise<ServerProgram>,
  options: StartServersOptions,
) {
  const program = await find();
  const logs = join(folder, 'logs');
  await preparePrivateFolder(program.folder);
  await preparePrivateFolder(logs);
  const { report, restarted } = options;
  return startChildServer(program, { logFile: join(logs, `${program.kind}.log`), report, restarted });
}

/** Both errors in one message, so that both can be fixed at once. */
function oneError(errors: unknown[]): unknown {
  const [first, second] = errors;
  if (!(first instanceof AppError) || !(second instanceof AppError)) return first;
  return new AppError(first.code, `${first.message}. Also: ${second.message}`, { cause: first });
}
