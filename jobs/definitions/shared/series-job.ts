import Joi from 'joi';
import type { SeriesQuestion } from '../../../compute/task.js';
import type { TaskInput, TaskName, TaskOutput } from '../../../compute/tasks.js';
import type { SeriesKey } from '../../../storage/candles/series.js';
import type { Job, QueueName } from '../../job.js';
import { defineTaskJob } from './task-job.js';

/** The tasks that compute from one series. */
export type SeriesTaskName = {
  [Name in TaskName]: TaskInput<Name> extends SeriesQuestion ? Name : never;
}[TaskName];

type ParamsOf<Name extends SeriesTaskName> = (TaskInput<Name> & SeriesQuestion)['params'];

export interface SeriesPayload<Params> {
  key: SeriesKey;
  /** The digest of the series that the caller knows. A node that has another version reads the series again. */
  digest: string;
  params: Params;
}

/** A job that runs the task of the same name on one series. */
export const defineSeriesJob = <const Name extends SeriesTaskName>({
  params,
  ...rest
}: {
  name: Name;
  params: Joi.ObjectSchema<ParamsOf<Name>>;
  queue?: QueueName;
  timeoutMs?: number;
}): Job<Name, SeriesPayload<ParamsOf<Name>>, TaskOutput<Name>> =>
  defineTaskJob({
    ...rest,
    payload: Joi.object<SeriesPayload<ParamsOf<Name>>>({
      key: Joi.object().required(),
      digest: Joi.string().required(),
      params: params.required(),
    }),
    async ask({ key, digest, params }, { candles: cache }) {
      const { candles } = await cache.get(key, digest);
      const question: SeriesQuestion = { candles, interval: key.interval, params };
      return question;
    },
  });
