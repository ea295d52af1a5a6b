import Joi from 'joi';
import type { ClusterView } from '../../../jobs/cluster/cluster.js';
import { defineOperation } from '../../operation.js';
import { clusterOutput } from './cluster-output.js';

/** Every process, queue, schedule and dead letter, as they are now. */
export const clusterState = defineOperation<object, ClusterView>({
  id: 'operator-cluster',
  summary: 'Every process, queue, schedule and job that failed for good, as they are now.',
  scope: 'operator',
  cost: 1,
  input: Joi.object({}),
  output: clusterOutput,
  leadsTo: [
    { to: 'operator-retry', fields: { id: 'payload/dead/0/id' } },
    { to: 'operator-drop', fields: { id: 'payload/dead/0/id' } },
  ],
  async handle(_input, { cluster }) {
    return { payload: await cluster.view() };
  },
});
