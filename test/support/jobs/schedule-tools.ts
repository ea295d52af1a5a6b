import type { ScheduleTools } from '../../../jobs/schedules/worker/schedule.js';
import { schedules } from '../../../jobs/schedules/index.js';
import type { TestService } from '../gateway/gateway.js';

/** What a schedule is given, over a service of the test. */
export const scheduleToolsOf = ({ deps, settings, storage }: TestService): ScheduleTools => ({
  settings,
  storage,
  redis: deps.redis,
  queues: deps.queues,
  scheduleNames: schedules.map(({ name }) => name),
  market: { check: async () => '' },
  log: deps.log,
  lease: { token: 1, confirm: async () => undefined },
});
