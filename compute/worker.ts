import { AppError, errorToData } from './model/errors.js';
import { ScratchBuffers } from './model/scratch-buffers.js';
import { ProgressCell, tellNobody } from './model/progress.js';
import type { Task, TaskRequest, TaskResponse } from './task.js';
import { runParcel, type TaskParcel } from './task-parcel.js';
import { tasks } from './tasks/index.js';

/** Working memory of this thread. */
const scratch = new ScratchBuffers();

const byName = new Map(tasks.map((task) => [task.name as string, task as Task<string, unknown, unknown>]));

/** The entry of a compute thread: runs the tasks that are asked for. */
export default function run(parcel: TaskParcel): (TaskResponse | null)[] {
  return runParcel(parcel, runOne);
}

function runOne({ name, input, asText, progress }: TaskRequest): TaskResponse {
  try {
    const task = byName.get(name);
    if (!task) throw new AppError('unexpected', `there is no task "${name}"`);
    const started = performance.now();
    const tell = progress && task.phases ? new ProgressCell(task.phases, progress).tell : tellNobody;
    const output = task.run(input, scratch, tell);
    const given = asText ? JSON.stringify(output) : output;
    return { ok: true, output: given, computeMs: performance.now() - started };
  } catch (error) {
    const foreseen = error instanceof AppError || !(error instanceof Error);
    return {
      ok: false,
      error: errorToData(error),
      ...(foreseen ? {} : { stack: error.stack ?? error.message }),
    };
  } finally {
    scratch.clear();
  }
}
