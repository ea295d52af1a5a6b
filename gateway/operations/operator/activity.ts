import Joi from 'joi';
import {
  readActivity,
  type ActivityFigures,
  type ActivityMinute,
} from '../../../storage/cluster/activity.js';
import { defineOperation } from '../../operation.js';
import { count, date, figureOrNull, list, objectField } from '../output-fields.js';

export interface OperatorActivityOutput {
  minutes: ActivityMinute[];
}

const figures = (description: string) =>
  objectField<ActivityFigures>(
    {
      count: count('how many ended'),
      failed: count('how many of them failed through no fault of the caller'),
      p50Ms: figureOrNull('time in ms that half of them stayed below; null if none ended'),
      p99Ms: figureOrNull('time in ms that 99 % of them stayed below; null if none ended'),
    },
    description,
  );

const minute = Joi.object<ActivityMinute, true>({
  at: date('when the minute began'),
  requests: figures('requests under /backend and /v3, over all gateways'),
  jobs: figures('jobs, over all compute nodes; a result that was stored counts, too'),
});

/** Throughput and latency of the last hour. */
export const operatorActivity = defineOperation<object, OperatorActivityOutput>({
  id: 'operator-activity',
  summary: 'Throughput and latency of the last hour, minute by minute.',
  scope: 'operator',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<OperatorActivityOutput, true>({
    minutes: list(minute, 'the last 60 minutes; the last one is still going on'),
  }),
  async handle(_input, { redis }) {
    return { payload: { minutes: await readActivity(redis) } };
  },
});
