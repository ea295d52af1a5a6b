import type { Report } from '../process/terminal-report.js';
import type { ChildServer } from './child-server.js';
import { releaseDataFolder, type DataFolderClaim } from './data-folder.js';
import { removeRunFile, writeRunFile, type RunFile } from './run-file.js';
import type { Servers, ServerSettings } from './servers.js';
import { startServers, type StartedServers } from './start-servers.js';

export interface HoldServersOptions {
  settings: ServerSettings;
  report: Report;
}

/** Starts a server for each URL that the settings leave empty. Only for the process whose `claim` holds the data folder. */
export async function holdServers(
  folder: string,
  claim: DataFolderClaim,
  { settings, report }: HoldServersOptions,
): Promise<Servers> {
  const file = runFileWriter(folder);
  let run: RunFile | undefined;
  let closing: Promise<void> | undefined;
  const publish = async () => {
    if (run !== undefined) await file.write({ ...run, servers: processes(started) });
  };
  // A failed write of the run file is repeated with the next change; the servers keep running.
  const restarted = () => void publish().catch((error: unknown) => report(`run file: ${String(error)}`));
  const started = await startForClaim(folder, { settings, report, restarted });
  const { redis, mongodb } = started;
  const redisUrl = redis ? redis.url : settings.REDIS_URL;
  const mongodbUrl = mongodb ? mongodb.url : settings.MONGODB_URL;
  const close = async () => {
    await file.close();
    await Promise.all([redis?.stop(), mongodb?.stop()]);
    await releaseDataFolder(folder);
  };
  run = { ...claim, redisUrl, mongodbUrl, servers: [] };
  await publish().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    redisUrl,
    mongodbUrl,
    redis: redis ? sentence(redis) : 'Redis at REDIS_URL',
    mongodb: mongodb ? sentence(mongodb) : 'MongoDB at MONGODB_URL',
    started: [...(redis ? (['REDIS_URL'] as const) : []), ...(mongodb ? (['MONGODB_URL'] as const) : [])],
    async announce(facts) {
      run = { ...run!, ...facts };
      await publish();
    },
    close: () => (closing ??= close()),
  };
}

async function startForClaim(
  folder: string,
  options: Parameters<typeof startServers>[1],
): Promise<StartedServers> {
  try {
    // A run file left by a killed holder would point to servers that are about to end.
    await removeRunFile(folder);
    return await startServers(folder, options);
  } catch (error) {
    await releaseDataFolder(folder);
    throw error;
  }
}

function processes({ redis, mongodb }: StartedServers): RunFile['servers'] {
  const servers = [redis, mongodb].filter((server) => server !== undefined);
  return servers.map(({ program: { kind, title }, pid }) => ({ kind, pid, program: title }));
}

function sentence({ program: { title, origin, folder }, place }: ChildServer): string {
  return `${title} from ${origin} on ${place}, data in ${folder}`;
}

interface RunFileWriter {
  write(run: RunFile): Promise<void>;
  /** Removes the run file. Later writes do nothing. */
  close(): Promise<void>;
}

/** Writes the run file of one holder, one write after the other, so that the last one wins. */
function runFileWriter(folder: string): RunFileWriter {
  let writing = Promise.resolve();
  let closed = false;
  return {
    write(run) {
      const write = async () => (closed ? undefined : writeRunFile(folder, run));
      writing = writing.then(write, write);
      return writing;
    },
    async close() {
      closed = true;
      await writing.catch(() => undefined);
      await removeRunFile(folder);
    },
  };
}
