import type { Command } from './command.js';
import { jobsDead } from './jobs-dead.js';
import { jobsDrop } from './jobs-drop.js';
import { jobsRetry } from './jobs-retry.js';
import { jobsRun } from './jobs-run.js';
import { jobsSchedules } from './jobs-schedules.js';
import { nodesList } from './nodes.js';

/** Every command about jobs and the processes that run them, in the order of the alphabet. */
export const commands: readonly Command[] = [
  jobsDead,
  jobsDrop,
  jobsRetry,
  jobsRun,
  jobsSchedules,
  nodesList,
];
