import Joi from 'joi';
import type { ParamsQuestion } from '../compute/task.js';
import type { TaskInput, TaskName, TaskOutput } from '../compute/tasks/index.js';
import { defineJob, type Job, type QueueName } from './job.js';

/** The tasks that are asked about nothing but their parameters. */
export type ParamsTaskName = {
  [Name in TaskName]: keyof TaskInput<Name> extends 'params' ? Name : never;
}[TaskName];

type ParamsOf<Name extends ParamsTaskName> = (TaskInput<Name> & ParamsQuestion)['params'];

export interface ParamsPayload<Params> {
  params: Params;
}

/** A job that asks a thread the task of the same name; no candles are read. */
export const defineParamsJob = <const Name extends ParamsTaskName>({
  name,
  params,
  queue = 'analysis',
  timeoutMs = 10_000,
}: {
  name: Name;
  params: Joi.ObjectSchema<ParamsOf<Name>>;
  queue?: QueueName;
  timeoutMs?: number;
}): Job<Name, ParamsPayload<ParamsOf<Name>>, TaskOutput<Name>> =>
  defineJob({
    name,
    queue,
    timeoutMs,
    payload: Joi.object<ParamsPayload<ParamsOf<Name>>>({ params: params.required() }),
    async run({ params }, { pool }, { signal, timings }) {
      const question: ParamsQuestion = { params };
      const { output, computeMs } = await pool.run(name, question, signal);
      timings.compute = computeMs;
      return output;
    },
  });
