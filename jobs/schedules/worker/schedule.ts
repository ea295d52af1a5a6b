import type { Redis } from 'ioredis';
import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import type { Settings } from '../../../storage/process/settings.js';
import type { JobClient } from '../../requests/job-client.js';

/** What a market worker hands to a schedule. */
export interface ScheduleTools {
  settings: Pick<Settings, 'MARKET'>;
  storage: Storage;
  redis: Redis;
  /** What takes long is asked of the compute nodes. */
  queues: Pick<JobClient, 'run' | 'runAll'>;
  /** The market this worker keeps up to date. */
  market: { check: () => Promise<string> };
  /** Every schedule that this version knows. */
  scheduleNames: readonly string[];
  log: Log;
}

/**
 * Work that is done again and again, by one market worker however many there are. It may be cut off at any point and run
 * again: so it is idempotent.
 */
export interface Schedule {
  name: string;
  /** What it does, in a sentence. */
  summary: string;
  /** When, UTC: second, minute, hour, day of the month, month, day of the week. */
  pattern: string;
  /** The longest a run may take. */
  limitMs: number;
  /** Does the work and says in a sentence what came of it. `signal` is aborted when the run is to end. */
  run: (tools: ScheduleTools, signal: AbortSignal) => Promise<string>;
}

export const defineSchedule = (schedule: Schedule): Schedule => schedule;
