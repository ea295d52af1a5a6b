import type { Redis } from 'ioredis';
import { engineVersion } from '../../compute/model/engine-version.js';
import { holdAgreement } from '../cluster/agreement.js';
import { requireSecretsKey } from '../accounts/require-secrets-key.js';
import type { Servers } from '../embedded/servers.js';
import { isEmbeddedFull } from '../embedded/full-disk.js';
import { openServers } from '../embedded/open-servers.js';
import { requireTwoPorts } from '../servers/listen.js';
import { MongoWatch, type PausableWorker } from '../servers/mongo-watch.js';
import { checkWritable, connected, failFast, isDiskFull, openRedis } from '../servers/redis.js';
import { redisName, redisUrls } from '../servers/redis-url.js';
import { requireServers } from '../servers/require-servers.js';
import { failStart } from './fail-start.js';
import { openLog, type Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { Readiness } from './metrics-server.js';
import { longestCloseMs } from './longest-close.js';
import { openMetrics, openTracing } from './open-tracing.js';
import type { Settings } from './settings.js';
import { readSettings } from './read-settings.js';
import { terminalReport } from './terminal-report.js';
import type { Tracing } from './tracing.js';
import { version } from './version.js';

/** What a process that runs one role of the service receives. */
export interface RoleContext {
  settings: Settings;
  servers: Servers;
  log: Log;
  /** Absent if METRICS_PORT is empty. */
  metrics?: Metrics | undefined;
  /** Absent if no collector is set. */
  tracing?: Tracing | undefined;
  /** Reports progress to the terminal, or to the process that started this one. */
  report: (line: string, event?: RoleEvent) => void;
}

export interface RunningRole {
  /** Facts for the process that started this one. */
  facts?: Record<string, string>;
  /** What takes jobs that need MongoDB. Default: nothing. */
  workers?: readonly PausableWorker[];
  close(): Promise<void>;
}

/** Something that the process that started a role waits for: the market has its whole history. */
export type RoleEvent = 'filled';

/** A message of a role to the process that started it. */
export type RoleMessage =
  | { type: 'report'; line: string; event?: RoleEvent | undefined }
  | { type: 'ready'; facts: Record<string, string> };

/**
 * Runs a role until SIGINT, SIGTERM or the end of the process that started it. A start that fails prints one sentence and
 * exits with code 1. `start` is given a ready connection to the first Redis, which fails fast, for the time of the role.
 */
export async function runRole(
  role: string,
  start: (context: RoleContext, redis: Redis) => Promise<RunningRole>,
): Promise<void> {
  let isReady = false;
  // A signal during the start ends the process at once: what it has started ends with it.
  const ended = endOfRole().then(() => void (isReady || process.exit(1)));
  try {
    const context = await openContext(role);
    const { settings, servers, log, metricsUrl, closeReports } = context;
    const connections = redisUrls(servers.redisUrl).map((url) => openRedis(url, failFast));
    await Promise.all(connections.map(connected));
    const agreement = await holdAgreement(connections, role === 'compute' ? undefined : settings.MARKET);
    const running = await start(context, connections[0]).catch(async (error: unknown) => {
      await agreement.close();
      await servers.close();
      throw error;
    });
    const watch = new MongoWatch({ mongodbUrl: servers.mongodbUrl, workers: running.workers ?? [], log });
    const missing = missingServers(settings, connections, watch);
    context.readiness.missing = () => missing.ask();
    context.metrics?.read('serverUp', async () => {
      const gone = await missing.ask();
      return missing.servers.map((server) => [gone.includes(server) ? 0 : 1, { server }]);
    });
    isReady = true;
    const where = metricsUrl === undefined ? {} : { metricsUrl };
    log.info(where, 'process started');
    tellParent({ type: 'ready', facts: { ...running.facts, ...where } });
    if (!process.send) console.log(`${role} is ready`);
    await ended;
    setTimeout(() => process.exit(1), longestCloseMs(settings)).unref();
    context.readiness.missing = leaving;
    await running.close();
    await agreement.close();
    connections.forEach((redis) => redis.disconnect());
    await Promise.all([watch.close(), closeReports()]);
    await servers.close();
    log.info('process stopped');
    process.exit(0);
  } catch (error) {
    failStart(error);
  }
}

interface OpenContext extends RoleContext {
  /** Where the metrics are served; absent if they are not. */
  metricsUrl: string | undefined;
  /** What `/readyz` of the port of metrics answers by. */
  readiness: Readiness;
  /** Sends the last metrics and spans. */
  closeReports: () => Promise<void>;
}

/** The part that is missing while a role ends. */
const leaving = () => Promise.resolve(['leaving']);

/** Tells which servers do not answer now, for `/readyz`. */
function missingServers(settings: Settings, connections: readonly Redis[], watch: MongoWatch) {
  return {
    servers: [...connections.map((_, n) => redisName(n)), 'mongodb'],
    async ask(): Promise<string[]> {
      const refusals = await Promise.all(
        connections.map((redis, n) =>
          checkWritable(redis).then(
            () => null,
            (error: unknown) => (isDiskFull(error) ? 'disk' : redisName(n)),
          ),
        ),
      );
      const refused = refusals.filter((refusal) => refusal !== null);
      const parts = [...((await isEmbeddedFull(settings)) ? ['disk'] : []), ...refused];
      return [...new Set(parts), ...(watch.answers ? [] : ['mongodb'])];
    },
  };
}

/** Everything that a role needs: settings, log, metrics, tracing, and the servers, which it starts if there are none. */
async function openContext(role: string): Promise<OpenContext> {
  const print = terminalReport(process.stdout);
  const report = (line: string, event?: RoleEvent) =>
    process.send ? tellParent({ type: 'report', line, event }) : print(line);
  const settings = readSettings();
  if (role === 'gateway') requireTwoPorts(settings);
  const log = openLog(settings, role);
  // The process ends all the same, with code 1; the supervisor starts it again.
  process.on('uncaughtExceptionMonitor', (err) =>
    log.fatal({ err }, 'the process ends on an unexpected error'),
  );
  const name = `npm run ${role}`;
  const readiness: Readiness = { missing: () => Promise.resolve(['start']) };
  const measured = await openMetrics(settings, readiness);
  measured?.metrics.read('buildInfo', () => [[1, { version, engine: engineVersion, role }]]);
  const tracing = await openTracing(settings, role, log);
  const servers = await openServers({ settings, holder: 'service', name, running: 'join', report: print });
  await requireServers(servers.redisUrl, servers.mongodbUrl);
  // Compute nodes know no secrets.
  if (role !== 'compute') await requireSecretsKey(settings, servers.mongodbUrl);
  if (servers.started.length > 0) log.warn({ dataDir: settings.DATA_DIR }, alone(role, servers));
  return {
    settings,
    servers,
    log,
    metrics: measured?.metrics,
    tracing,
    report,
    metricsUrl: measured?.url,
    readiness,
    closeReports: async () => void (await Promise.all([measured?.close(), tracing?.close()])),
  };
}

/** Sends a message to the process that started this one. It is lost if that has ended. */
function tellParent(message: RoleMessage): void {
  // Without a function that takes it, the error would end this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

/** The warning of a role that has started servers of its own. */
function alone(role: string, { started }: Servers): string {
  const missing = `${started.join(' and ')} ${started.length === 1 ? 'is' : 'are'} empty`;
  return (
    `${role} is alone: ${missing} and no Tidemark runs with this data folder, so it has started servers of its own. ` +
    'Only processes on this machine with the same DATA_DIR find them. To join a service, set REDIS_URL and MONGODB_URL to its servers'
  );
}

/** Resolves when the role has to end. */
async function endOfRole(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(event, () => resolve());
  });
}
