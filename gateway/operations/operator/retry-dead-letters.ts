import Joi from 'joi';
import type { RetriedAll } from '../../../jobs/cluster/cluster.js';
import { defineOperation } from '../../operation.js';
import { count } from '../output-fields.js';

/** Runs all dead jobs again, as many as end in time. */
export const retryDeadLetters = defineOperation<object, RetriedAll>({
  id: 'operator-retry-all',
  summary:
    'Runs all dead jobs again, and removes those that succeed. Jobs begin for 20 s; the answer tells what is left.',
  scope: 'operator',
  cost: 5,
  input: Joi.object({}),
  output: Joi.object<RetriedAll, true>({
    retried: count('jobs that succeeded; they are removed from the dead jobs'),
    failed: count('jobs that failed again, or that no process takes'),
    incomplete: count('jobs that cannot run again, because their data was too large to keep'),
    left: count('jobs that were not begun; ask again for these'),
  }),
  async handle(_input, { cluster, log }, { requestId, user, signal }) {
    const payload = await cluster.retryAll(requestId, signal);
    log.info({ traceId: requestId, operator: user!.userId, ...payload }, 'dead letters retried');
    return { payload };
  },
});
