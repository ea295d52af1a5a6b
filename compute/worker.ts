import { jsonOfResult } from './model/result-text.js';
import { AppError, errorToData } from './model/errors.js';
import { ScratchBuffers } from './model/scratch-buffers.js';
import { ProgressCell, ignoreProgress } from './model/progress.js';
import { runTaskBatch, type Task, type TaskBatch, type TaskRequest, type TaskResponse } from './task.js';
import { tasks } from './tasks.js';

const scratch = new ScratchBuffers();

const byName = new Map(tasks.map((task) => [task.name as string, task as Task<string, unknown, unknown>]));

/** The entry of a compute thread: runs the tasks of a batch. */
export default function run(batch: TaskBatch): (TaskResponse | null)[] {
  return runTaskBatch(batch, runOne);
}

function runOne({ name, input, asText, progress }: TaskRequest): TaskResponse {
  try {
    const task = byName.get(name);
    if (!task) throw new AppError('unexpected', `there is no task "${name}"`);
    const started = performance.now();
    const onProgress =
      progress && task.phases ? new ProgressCell(task.phases, progress).report : ignoreProgress;
    const output = task.run(input, scratch, onProgress);
    const given = asText ? textOf(task, output) : output;
    return { ok: true, output: given, computeMs: performance.now() - started };
  } catch (error) {
    const isExpected = error instanceof AppError || !(error instanceof Error);
    return {
      ok: false,
      error: errorToData(error),
      ...(isExpected ? {} : { stack: error.stack ?? error.message }),
    };
  } finally {
    scratch.clear();
  }
}

const textOf = ({ isAnswer }: Task<string, unknown, unknown>, output: unknown): string =>
  isAnswer ? jsonOfResult(output as object) : JSON.stringify(output);
