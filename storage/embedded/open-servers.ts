import type { Report } from '../process/terminal-report.js';
import { prepareDataFolder, requireFreeSpace, claimDataFolder, type DataFolderClaim } from './data-folder.js';
import { holdServers } from './hold-servers.js';
import { readRunFile, type RunFile } from './run-file.js';
import type { Servers, ServerSettings } from './servers.js';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../compute/model/errors.js';
import { claimAnswers } from './claim-socket.js';
import { isLiving } from './orphans.js';

const serviceReadyWithinMs = 120_000;
const commandDoneWithinMs = 60_000;

interface Claimant {
  name: string;
  holder: 'service' | 'command';
  running: 'join' | 'refuse';
  report: (line: string) => void;
}

/**
 * Claims the data folder, or returns the run file of the service that holds it once that is ready. Throws
 * `data_folder_in_use` if `running` is `refuse`, or when the holder takes too long.
 */
export async function claimOrJoin(
  folder: string,
  claimant: Claimant,
): Promise<{ claim: DataFolderClaim } | { run: RunFile }> {
  const since = Date.now();
  for (let reported = false; ; reported = true) {
    const { claimed, claim } = await claimDataFolder(folder, claimant);
    if (claimed) return { claim };
    const isService = claim.holder === 'service';
    if (isService && (claimant.running === 'refuse' || (await isElsewhere(folder, claim))))
      throw inUse(folder, claim);
    const run = isService ? await readRunFile(folder) : undefined;
    if (run?.claimId === claim.claimId) return { run };
    const limitMs = isService ? serviceReadyWithinMs : commandDoneWithinMs;
    if (Date.now() - since > limitMs) throw inUse(folder, claim);
    const event = isService ? 'be ready' : 'finish';
    if (!reported) claimant.report(`waiting for "${claim.name}" (pid ${claim.pid}) to ${event} ...`);
    await delay(50);
  }
}

/** Whether the holder runs in another container, whose servers cannot be reached from here. */
const isElsewhere = async (folder: string, claim: DataFolderClaim): Promise<boolean> =>
  !isLiving(claim) && claimAnswers(folder, claim.claimId);

function inUse(folder: string, claim: DataFolderClaim): AppError {
  const where = isLiving(claim) ? `pid ${claim.pid}` : 'in another container';
  const sentence = `the data folder "${folder}" belongs to a running Tidemark ("${claim.name}", ${where})`;
  return new AppError('data_folder_in_use', `${sentence}; stop it, or set DATA_DIR to another folder`);
}

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
