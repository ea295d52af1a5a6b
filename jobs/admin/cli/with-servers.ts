import type { Redis } from 'ioredis';
import { announceSeries } from '../../../storage/candles/series-directory.js';
import { openServers } from '../../../storage/embedded/open-servers.js';
import type { Servers } from '../../../storage/embedded/servers.js';
import { openStorage, type Announcements, type Storage } from '../../../storage/index.js';
import { readSettings } from '../../../storage/process/read-settings.js';
import { terminalReport } from '../../../storage/process/terminal-report.js';
import type { Settings } from '../../../storage/process/settings.js';
import { connected, failFast, openRedis } from '../../../storage/servers/redis.js';
import { requireServers } from '../../../storage/servers/require-servers.js';
import { announceRevoked } from '../../../storage/users/revoked.js';

/** The context of a command: opened servers, settings and progress output. */
export interface CommandContext {
  storage: Storage;
  settings: Settings;
  redis: Redis;
  redisUrl: string;
  /** Prints progress to standard error: standard output holds the result alone. */
  report: (line: string) => void;
}

/** Announces changes over Redis. */
export const announcements = (redis: Redis): Announcements => ({
  series: announceSeries(redis),
  revoked: announceRevoked(redis),
});

/** Longer than in a service: a command may wait for bulk writes. */
const storageTimeoutMs = 60_000;

/** Opens storage and Redis for a command, those of the running service or its own, and closes them when it is done. */
export async function withServers<T>(
  name: string,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  return withUncheckedServers(name, async ({ settings, servers, report }) => {
    await requireServers(servers.redisUrl, servers.mongodbUrl);
    const redis = openRedis(servers.redisUrl, failFast);
    const storage = openStorage(servers.mongodbUrl, { timeoutMs: storageTimeoutMs }, announcements(redis));
    try {
      await connected(redis);
      await storage.migrate(redis);
      return await work({ storage, settings, redis, redisUrl: servers.redisUrl, report });
    } finally {
      redis.disconnect();
      await storage.close();
    }
  });
}

/** The context of a command that checks the servers themselves. */
export interface UncheckedContext extends Pick<CommandContext, 'settings' | 'report'> {
  servers: Servers;
}

/** Finds the servers for a command, or starts its own, without asking them anything, and closes them when it is done. */
export async function withUncheckedServers<T>(
  name: string,
  work: (context: UncheckedContext) => Promise<T>,
): Promise<T> {
  const settings = readSettings();
  const report = terminalReport(process.stderr);
  const opened: { servers?: Servers } = {};
  const stopListening = closeOnSignal(() => opened.servers?.close());
  const servers = await openServers({ settings, holder: 'command', name, running: 'join', report });
  opened.servers = servers;
  try {
    return await work({ settings, servers, report });
  } finally {
    await servers.close();
    stopListening();
  }
}

/** Servers that are still starting end with the process. Answers how to stop listening for signals. */
function closeOnSignal(close: () => Promise<void> | undefined): () => void {
  const end = () => void Promise.resolve(close()).finally(() => process.exit(1));
  const events = ['SIGINT', 'SIGTERM'] as const;
  for (const event of events) process.once(event, end);
  return () => events.forEach((event) => process.off(event, end));
}
