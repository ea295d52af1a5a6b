import Joi from 'joi';
import type { ClusterView } from '../../../jobs/cluster.js';
import { defineOperation } from '../../operation.js';
import { date } from '../output-fields.js';

const entries = (description: string) =>
  Joi.array().items(Joi.object().unknown()).required().description(description);

/** Every process, queue, schedule and dead letter, as they are now. */
export const clusterState = defineOperation<object, ClusterView>({
  id: 'operator-cluster',
  summary: 'Every process, queue, schedule and job that failed for good, as they are now.',
  scope: 'operator',
  cost: 1,
  input: Joi.object({}),
  output: Joi.object<ClusterView, true>({
    at: date('when this was read'),
    nodes: entries('processes alive'),
    queues: entries('queues and what waits in them'),
    schedules: entries('work done at set times'),
    dead: entries('jobs that failed for good, the latest first'),
  }),
  async handle(_input, { cluster }) {
    return { payload: await cluster.view() };
  },
});
