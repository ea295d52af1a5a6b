import { defineJob } from '../job.js';
import { coreLineJob } from './core-line.js';

/** The core line of a series, computed and stored when nobody waits for it yet: in threads that give way. */
export const refreshCoreLineJob = defineJob({
  ...coreLineJob,
  name: 'refresh-core-line',
  queue: 'market',
  timeoutMs: 60_000,
});
