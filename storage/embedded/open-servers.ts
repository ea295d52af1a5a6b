import type { Report } from '../process/terminal-report.js';
import { prepareDataFolder, requireFreeSpace } from './data-folder.js';
import { holdServers } from './hold-servers.js';
import type { RunFile } from './run-file.js';
import type { Servers, ServerSettings } from './servers.js';
import { claimOrJoin, type Claimant } from './wait-for-holder.js';

export interface OpenServersOptions extends Claimant {
  settings: ServerSettings;
  /** `service`: runs long, and others may join it. `command`: runs briefly, and others wait for it. */
  holder: 'service' | 'command';
  /** The command that runs, for messages: `npm start`, `admin candles import`. */
  name: string;
  /** If a service is running: `join` its servers, or `refuse` with `data_folder_in_use`. */
  running: 'join' | 'refuse';
  /** Called with progress and with sentences about restarted servers. */
  report: Report;
}

/**
 * The Redis and MongoDB to use: those of the settings, those of a running instance, or ones that are found or installed on
 * this machine and started. Throws `server_not_found` with all attempts, `data_folder_in_use`, `invalid_settings` for a
 * folder that cannot be written or whose disk is full, and `redis_unavailable` or `mongodb_unavailable` for a server that does not start.
 */
export async function openServers(options: OpenServersOptions): Promise<Servers> {
  const { settings } = options;
  const isAllGiven = settings.REDIS_URL !== '' && settings.MONGODB_URL !== '';
  const keepsOthersOut = options.holder === 'service' && options.running === 'refuse';
  if (isAllGiven && !keepsOthersOut) return givenServers(settings);
  const folder = await prepareDataFolder(settings.DATA_DIR);
  // Before the claim, which is a file as well.
  if (!isAllGiven) await requireFreeSpace(folder, options.holder);
  const found = await claimOrJoin(folder, options);
  return 'run' in found ? joinedServers(settings, found.run) : holdServers(folder, found.claim, options);
}

/** The servers of another process. This process neither publishes facts nor stops them. */
function joinedServers({ REDIS_URL, MONGODB_URL }: ServerSettings, run: RunFile): Servers {
  const origin = `of the running instance (pid ${run.pid})`;
  return {
    redisUrl: REDIS_URL || run.redisUrl,
    mongodbUrl: MONGODB_URL || run.mongodbUrl,
    redis: REDIS_URL === '' ? `Redis ${origin}` : 'Redis at REDIS_URL',
    mongodb: MONGODB_URL === '' ? `MongoDB ${origin}` : 'MongoDB at MONGODB_URL',
    started: [],
    announce: async () => undefined,
    close: async () => undefined,
  };
}

function givenServers({ REDIS_URL, MONGODB_URL }: ServerSettings): Servers {
  return {
    redisUrl: REDIS_URL,
    mongodbUrl: MONGODB_URL,
    redis: 'Redis at REDIS_URL',
    mongodb: 'MongoDB at MONGODB_URL',
    started: [],
    announce: async () => undefined,
    close: async () => undefined,
  };
}
