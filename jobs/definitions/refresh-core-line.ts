import { defineJob } from '../job.js';
import { coreLineJob } from './core-line.js';

/** The core line of a series, computed in advance: in threads with a lower priority. */
export const refreshCoreLineJob = defineJob({
  ...coreLineJob,
  name: 'refresh-core-line',
  queue: 'market',
  timeoutMs: 60_000,
});
