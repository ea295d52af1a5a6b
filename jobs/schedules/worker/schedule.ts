import type { Redis } from 'ioredis';
import type { HeldLease } from '../../../storage/servers/lease.js';
import type { Storage } from '../../../storage/index.js';
import type { Log } from '../../../storage/process/log.js';
import type { Settings } from '../../../storage/process/settings.js';
import type { JobClient } from '../../requests/job-client.js';

/** What a market worker gives to a schedule. */
export interface ScheduleTools {
  settings: Pick<Settings, 'DATA_DIR' | 'EXCHANGES' | 'MARKET' | 'PAPER_BALANCE' | 'SECRETS_KEY'>;
  storage: Storage;
  redis: Redis;
  /** Runs jobs on compute nodes, for long work. */
  queues: Pick<JobClient, 'others' | 'run' | 'runAll'>;
  /** The market that this worker follows. */
  market: { check: () => Promise<string> };
  /** Every schedule that this version knows. */
  scheduleNames: readonly string[];
  log: Log;
  /** The lease of the run: confirm it before writing what another run may write, and write with its token. */
  lease: Pick<HeldLease, 'confirm' | 'token'>;
}

/**
 * Work that is repeated at fixed times, each time by one of the market workers. It must be idempotent, because a run may be
 * cut off at any point and start again.
 */
export interface Schedule {
  name: string;
  /** What it does, in a sentence. */
  summary: string;
  /** When, UTC: second, minute, hour, day of the month, month, day of the week. */
  pattern: string;
  /** The time limit of a run. */
  limitMs: number;
  /** Does the work and returns a sentence on the result. `signal` is aborted when the run has to end. */
  run: (tools: ScheduleTools, signal: AbortSignal) => Promise<string>;
}

export const defineSchedule = (schedule: Schedule): Schedule => schedule;
