import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../compute/model/errors.js';
import type { Report } from '../process/terminal-report.js';
import { startChildServer, type ChildServer, type ChildServerOptions } from './child-server.js';
import { endOrphans } from './orphans.js';
import { findRedisServer } from './redis-server.js';
import { preparePrivateFolder } from './private-folder.js';
import { firstProgram, type ServerProgram, type ServerCandidate } from './server-program.js';
import { downloadedMongod, downloadMongod, mongodOnPath } from './mongod.js';
import { findSecantusdb } from './secantusdb.js';

const fallback =
  'a beta of a server with the protocol of MongoDB, under GPL-2.0, run as a process of its own';

/** Why each better server was not taken, at the last start. */
const installLog = 'install.log';

const advice =
  'no MongoDB is on this machine and none could be installed; install mongod, or set MONGODB_URL to a running MongoDB.';

/** The data folder of each engine. They cannot read each other's data. */
const mongodbFolders = (dataDir: string) => ({
  mongod: join(dataDir, 'mongodb'),
  secantusdb: join(dataDir, 'secantusdb'),
});

/**
 * Finds a MongoDB on this machine or installs one into `serversDir`. If an engine has data in `dataDir`, only that engine
 * is considered: another one would start empty. Throws `server_not_found` with all attempts.
 */
export async function findMongodbServer(
  dataDir: string,
  serversDir: string,
  report: Report,
): Promise<ServerProgram> {
  const folders = mongodbFolders(dataDir);
  const secantusdb = (allowed: boolean) =>
    findSecantusdb(folders.secantusdb, serversDir, { allowed, report });
  const found: ServerCandidate[] = [
    { name: 'mongod', find: () => mongodOnPath(folders.mongod) },
    { name: 'mongod downloaded earlier', find: () => downloadedMongod(folders.mongod, serversDir) },
  ];
  const download = {
    name: 'official download',
    find: () => downloadMongod(folders.mongod, serversDir, report),
  };
  if (hasData(folders.mongod)) return firstProgram([...found, download], mustBe('MongoDB', folders.mongod));
  const fromPypi = { name: 'PyPI', fallback, find: () => secantusdb(true) };
  if (hasData(folders.secantusdb)) return firstProgram([fromPypi], mustBe('SecantusDB', folders.secantusdb));
  const installed = { name: 'SecantusDB installed earlier', fallback, find: () => secantusdb(false) };
  return firstProgram([...found, installed, download, fromPypi], advice);
}

/** Both engines create this file in their data folder. */
function hasData(folder: string): boolean {
  return existsSync(join(folder, 'WiredTiger'));
}

function mustBe(engine: string, folder: string): string {
  return `"${folder}" holds data of ${engine}, which is not on this machine and could not be installed; install it, set MONGODB_URL, or move that folder away to start without its data.`;
}

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
  rmSync(join(folder, 'logs', installLog), { force: true });
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
  for (const reason of program.tried ?? [])
    appendFileSync(join(logs, installLog), `${program.kind}: ${reason}\n`, { mode: 0o600 });
  const { report, restarted } = options;
  return startChildServer(program, { logFile: join(logs, `${program.kind}.log`), report, restarted });
}

/** Both errors in one message, so that both can be fixed at once. */
function oneError(errors: unknown[]): unknown {
  const [first, second] = errors;
  if (!(first instanceof AppError) || !(second instanceof AppError)) return first;
  return new AppError(first.code, `${first.message}. Also: ${second.message}`, { cause: first });
}
