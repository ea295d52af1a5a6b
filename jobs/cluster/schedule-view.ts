import type { ScheduleRun, ScheduleRuns } from '../../storage/cluster/schedule-runs.js';
import type { Schedule } from '../schedules/worker/schedule.js';
import type { ScheduleQueue } from '../schedules/worker/schedule-queue.js';

export interface ScheduleView {
  name: string;
  summary: string;
  /** Second, minute, hour, day of the month, month, day of the week; UTC. */
  pattern: string;
  /** Null until a worker has set the schedule up. */
  nextRunAt: string | null;
  lastRun: ScheduleRun | null;
}

/** The schedules with their last and next runs. */
export async function viewSchedules(
  schedules: readonly Schedule[],
  queue: ScheduleQueue,
  runs: ScheduleRuns,
): Promise<ScheduleView[]> {
  const next = await queue.nextRuns();
  return Promise.all(
    schedules.map(async ({ name, summary, pattern }) => {
      const nextMs = next.get(name);
      const nextRunAt = nextMs === undefined ? null : new Date(nextMs).toISOString();
      return { name, summary, pattern, nextRunAt, lastRun: await runs.find(name) };
    }),
  );
}
