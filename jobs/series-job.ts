import Joi from 'joi';
import type { TaskInput, TaskName, TaskOutput } from '../compute/tasks/index.js';
import type { SeriesQuestion } from '../compute/task.js';
import type { SeriesKey } from '../storage/series.js';
import { defineJob, type Job, type QueueName } from './job.js';

/** The tasks that are asked about one series. */
export type SeriesTaskName = {
  [Name in TaskName]: TaskInput<Name> extends SeriesQuestion ? Name : never;
}[TaskName];

type ParamsOf<Name extends SeriesTaskName> = (TaskInput<Name> & SeriesQuestion)['params'];

export interface SeriesPayload<Params> {
  key: SeriesKey;
  /** The digest of the series as the caller knows it: a node that has an older one reads it anew. */
  digest: string;
  params: Params;
}

/** A job that asks a thread the task of the same name about one series. */
export const defineSeriesJob = <const Name extends SeriesTaskName>({
  name,
  params,
  queue = 'analysis',
  timeoutMs = 10_000,
}: {
  name: Name;
  params: Joi.ObjectSchema<ParamsOf<Name>>;
  queue?: QueueName;
  timeoutMs?: number;
}): Job<Name, SeriesPayload<ParamsOf<Name>>, TaskOutput<Name>> =>
  defineJob({
    name,
    queue,
    timeoutMs,
    payload: Joi.object<SeriesPayload<ParamsOf<Name>>>({
      key: Joi.object().required(),
      digest: Joi.string().required(),
      params: params.required(),
    }),
    async run({ key, digest, params }, { candles: cache, pool }, signal, timings) {
      const started = performance.now();
      const { candles } = await cache.get(key, digest);
      timings.candles = performance.now() - started;
      const question: SeriesQuestion = { candles, interval: key.interval, params };
      const { output, computeMs } = await pool.run(name, question, signal);
      timings.compute = computeMs;
      return output;
    },
  });
