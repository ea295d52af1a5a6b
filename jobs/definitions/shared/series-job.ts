import Joi from 'joi';
import type { Interval, ResearchInterval } from '../../../compute/model/interval.js';
import type { SeriesQuestion } from '../../../compute/task.js';
import type { TaskInput, TaskName, TaskOutput } from '../../../compute/tasks.js';
import type { SeriesKey } from '../../../storage/candles/series.js';
import type { Job, QueueName } from '../../job.js';
import { defineTaskJob } from './task-job.js';

export type SeriesTaskName = {
  [Name in TaskName]: TaskInput<Name> extends SeriesQuestion<object, ResearchInterval> ? Name : never;
}[TaskName];

type QuestionOf<Name extends SeriesTaskName> = TaskInput<Name> & SeriesQuestion<object, ResearchInterval>;
type ParamsOf<Name extends SeriesTaskName> = QuestionOf<Name>['params'];
/** What is asked of the task; the intervals are those that it takes. */
type PayloadOf<Name extends SeriesTaskName> = SeriesPayload<ParamsOf<Name>, QuestionOf<Name>['interval']>;

export interface SeriesPayload<Params, I extends ResearchInterval = Interval> {
  key: SeriesKey<I>;
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
}): Job<Name, PayloadOf<Name>, TaskOutput<Name>> =>
  defineTaskJob({
    ...rest,
    payload: Joi.object<PayloadOf<Name>>({
      key: Joi.object().required(),
      digest: Joi.string().required(),
      params: params.required(),
    }),
    async ask({ key, digest, params }, { candles: cache }) {
      const { candles } = await cache.get(key, digest);
      const question: SeriesQuestion<object, ResearchInterval> = { candles, interval: key.interval, params };
      return question;
    },
  });
