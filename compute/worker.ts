import { AppError, errorToData } from './model/errors.js';
import { Room } from './model/room.js';
import type { Task, TaskRequest, TaskResponse } from './task.js';
import { tasks } from './tasks/index.js';

/** Working memory of this thread. */
const room = new Room();

const byName = new Map(tasks.map((task) => [task.name as string, task as Task<string, unknown, unknown>]));

/** The entry of a compute thread: runs the task that is asked for. */
export default function run({ name, input }: TaskRequest): TaskResponse {
  try {
    const task = byName.get(name);
    if (!task) throw new AppError('unexpected', `there is no task "${name}"`);
    const started = performance.now();
    const output = task.run(input, room);
    return { ok: true, output, computeMs: performance.now() - started };
  } catch (error) {
    const foreseen = error instanceof AppError || !(error instanceof Error);
    return {
      ok: false,
      error: errorToData(error),
      ...(foreseen ? {} : { stack: error.stack ?? error.message }),
    };
  } finally {
    room.clear();
  }
}
