import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { text } from '../output-fields.js';

export interface RunScheduleNowInput {
  name: string;
}

export interface RunScheduleNowOutput {
  name: string;
}

/** Starts a schedule now. The state of the service shows how the run ends. */
export const runScheduleNow = defineOperation<RunScheduleNowInput, RunScheduleNowOutput>({
  id: 'operator-run-schedule',
  summary: 'Starts a schedule now, without waiting for its end.',
  scope: 'operator',
  cost: 5,
  input: Joi.object<RunScheduleNowInput, true>({
    name: Joi.string().max(64).required().description('name of the schedule').example('clean-up'),
  }),
  output: Joi.object<RunScheduleNowOutput, true>({ name: text('name of the schedule that was started') }),
  errors: ['no_worker', 'schedule_running'],
  async handle({ name }, { cluster, log }, { requestId, user }) {
    await cluster.startSchedule(name);
    log.info({ traceId: requestId, operator: user!.userId, schedule: name }, 'schedule started');
    return { payload: { name } };
  },
});
