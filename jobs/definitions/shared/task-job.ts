import type Joi from 'joi';
import type { TaskInput, TaskName, TaskOutput } from '../../../compute/tasks.js';
import { defineJob, type Job, type JobTools, type QueueName } from '../../job.js';

/** The description of a job that runs a task in a thread. */
export interface TaskJob<Name extends TaskName, Payload> {
  /** The name of the job and of its task. */
  name: Name;
  payload: Joi.ObjectSchema<Payload>;
  queue?: QueueName | undefined;
  /** Its share of a micro-batch; default: the queue's. */
  share?: number | undefined;
  timeoutMs?: number | undefined;
  /** Makes the input of the task: reads the candles that the payload names. */
  ask: (payload: Payload, tools: JobTools) => Promise<TaskInput<Name>>;
}

/** A job that reads the input of a task and runs the task in a thread. */
export function defineTaskJob<const Name extends TaskName, Payload>(
  task: TaskJob<Name, Payload>,
): Job<Name, Payload, TaskOutput<Name>> {
  const { name, queue = 'analysis', timeoutMs = 10_000, share, ask } = task;
  return defineJob({
    name,
    queue,
    timeoutMs,
    // The schema may be made when it is first read.
    get payload() {
      return task.payload;
    },
    ...(share === undefined ? {} : { share }),
    async run(payload, tools, { signal, timings, progress }) {
      const started = performance.now();
      const question = await ask(payload, tools);
      timings.candles = performance.now() - started;
      const { output, computeMs } = await tools.pool.runToText(name, question, signal, progress);
      timings.compute = computeMs;
      return output;
    },
  });
}
