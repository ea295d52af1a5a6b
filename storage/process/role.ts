import { AppError } from '../../compute/model/errors.js';
import type { Servers } from '../embedded/servers.js';
import { openServers } from '../embedded/open-servers.js';
import { mapStorageError } from '../index.js';
import { openLog, type Log } from './log.js';
import type { Metrics } from './metrics.js';
import { openMetrics } from './metrics-server.js';
import { readSettings, type Settings } from './settings.js';
import { openTracing, type Tracing } from './tracing.js';

/** What a process that plays one role of the service is given. */
export interface RoleContext {
  settings: Settings;
  servers: Servers;
  log: Log;
  /** Where the process counts what it does; absent where nobody reads it. */
  metrics?: Metrics | undefined;
  /** Where the process tells what took how long; absent where nobody collects it. */
  tracing?: Tracing | undefined;
  /** Tells people, and the process that started this one, how far it is. */
  report: (line: string) => void;
}

/** A running role: what to tell of it, and how to end it. */
export interface RunningRole {
  /** For the process that started this one. */
  facts?: Record<string, string>;
  close(): Promise<void>;
}

/** What a role sends to the process that started it. */
export type RoleMessage = { type: 'report'; line: string } | { type: 'ready'; facts: Record<string, string> };

const longestCloseMs = 25_000;

/**
 * Runs a role until SIGINT, SIGTERM or the end of the process that started it. A start that fails is told in one
 * sentence and ends with exit code 1.
 */
export async function runRole(
  role: string,
  start: (context: RoleContext) => Promise<RunningRole>,
): Promise<void> {
  const tell = (message: RoleMessage) => process.send?.(message);
  const report = (line: string) => (process.send ? tell({ type: 'report', line }) : console.log(line));
  let isReady = false;
  // An end that comes while it still starts needs no order: what it has started ends with the process.
  const ended = endOfRole().then(() => void (isReady || process.exit(1)));
  try {
    const settings = readSettings();
    const log = openLog(settings, role);
    const name = `npm run ${role}`;
    const measured = await openMetrics(settings);
    const tracing = await openTracing(settings, role, log);
    const servers = await openServers({ settings, holder: 'service', name, running: 'join', report });
    const context = { settings, servers, log, metrics: measured?.metrics, tracing, report };
    const running = await start(context).catch(async (error: unknown) => {
      await servers.close();
      throw error;
    });
    isReady = true;
    const where = measured ? { metricsUrl: measured.url } : {};
    log.info(where, 'process started');
    tell({ type: 'ready', facts: { ...running.facts, ...where } });
    if (!process.send) console.log(`${role} is ready`);
    await ended;
    setTimeout(() => process.exit(1), longestCloseMs).unref();
    await running.close();
    await Promise.all([measured?.close(), tracing?.close()]);
    await servers.close();
    log.info('process stopped');
    process.exit(0);
  } catch (error) {
    failStart(error);
  }
}

/** Ends the process with one sentence for what was foreseen, and a stack for what was not. */
export function failStart(caught: unknown): never {
  const error = mapStorageError(caught);
  console.error(error instanceof AppError ? `error: ${error.message}` : error);
  process.exit(1);
}

/** Resolves when the role is to end. */
async function endOfRole(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(event, () => resolve());
  });
}
