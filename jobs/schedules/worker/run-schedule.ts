import { AppError, errorToData } from '../../../compute/model/errors.js';
import { nodeName } from '../../../storage/cluster/nodes.js';
import type { HeldLease } from '../../../storage/servers/lease.js';
import type { ScheduleRun, ScheduleRuns } from '../../../storage/cluster/schedule-runs.js';
import { mapStorageError } from '../../../storage/index.js';
import { overLimit } from '../../job.js';
import type { Schedule, ScheduleTools } from './schedule.js';
import { dueAt, type QueuedRun } from './schedule-queue.js';

export interface ScheduleExecution {
  schedule: Schedule;
  queued: QueuedRun;
  /** The number of this start, from 1. */
  attempt: number;
  tools: Omit<ScheduleTools, 'lease'>;
  runs: ScheduleRuns;
  /** The lease of the run; its signal is aborted when another worker has taken over. */
  lease: HeldLease;
  /** Aborted when this worker closes. */
  closing: AbortSignal;
}

/** Runs a schedule, and records the run and how it ended. Returns the note of the run; throws what the schedule throws. */
export async function runSchedule(execution: ScheduleExecution): Promise<string> {
  const { schedule, queued, attempt, tools, runs, lease, closing } = execution;
  const { signal: lost, token } = lease;
  const started = performance.now();
  const run = startedRun(execution);
  const end = async (outcome: ScheduleRun['outcome'], note: string) => {
    // If another worker has taken over the run, that worker records its end.
    if (!lost.aborted) await runs.put({ ...run, endedAt: new Date().toISOString(), outcome, note }, token);
  };
  const fields = { schedule: schedule.name, id: queued.id, attempt };
  await runs.put(run, token);
  try {
    const note = await runWithinLimit(execution);
    await end('done', note);
    tools.log.debug({ ...fields, ms: Math.round(performance.now() - started), note }, 'schedule done');
    return note;
  } catch (caught) {
    const error = mapStorageError(caught);
    const isInterrupted = closing.aborted || lost.aborted;
    const note = error instanceof AppError ? error.message : errorToData(error).message;
    await end(isInterrupted ? 'interrupted' : 'failed', note).catch(() => undefined);
    tools.log[isInterrupted ? 'info' : 'error']({ ...fields, err: error }, 'schedule failed');
    throw error;
  }
}

/** Records a run as failed without starting it. */
export async function recordFailure(execution: ScheduleExecution, note: string): Promise<void> {
  const { runs, lease } = execution;
  const run = startedRun(execution);
  await runs.put({ ...run, endedAt: run.startedAt, outcome: 'failed', note }, lease.token);
}

function startedRun({ schedule, queued, attempt }: ScheduleExecution): ScheduleRun {
  const due = dueAt(queued);
  return {
    name: schedule.name,
    jobId: queued.id!,
    dueAt: due === null ? null : new Date(due).toISOString(),
    startedAt: new Date().toISOString(),
    endedAt: null,
    outcome: 'running',
    note: '',
    node: nodeName(),
    attempt,
  };
}

/** Runs the schedule until it ends, its time is over, the worker closes, or another worker has taken over. */
async function runWithinLimit({ schedule, tools, lease, closing }: ScheduleExecution): Promise<string> {
  const { name, limitMs, run } = schedule;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(overLimit(name, limitMs)), limitMs);
  const signal = AbortSignal.any([limit.signal, lease.signal, closing]);
  const stopped = new AppError('cancelled', `"${name}" was given up`);
  try {
    return await Promise.race([
      run({ ...tools, lease }, signal),
      new Promise<never>((_resolve, reject) => {
        const stop = () => reject(limit.signal.aborted ? (limit.signal.reason as AppError) : stopped);
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
