import Joi from 'joi';
import { defineOperation } from '../../operation.js';
import { unknownFollowedSignal } from './followed-fields.js';
import { getFollowedSignal, type FollowedSignalOutput } from './get-followed-signal.js';

interface CloseSignalInput {
  parent_signal_id: string;
  exchange?: string;
}

/** Withdraws the user's orders of one signal, and closes what was bought for it. Twice is once; others are not touched. */
export const closeSignal = defineOperation<CloseSignalInput, FollowedSignalOutput>({
  id: 'close-signal',
  summary:
    'Withdraws your orders of one signal and closes at market what it bought; answers with its execution, whose events tell the rest.',
  scope: 'user',
  // It has to work however many points are spent.
  cost: 0,
  input: Joi.object<CloseSignalInput>({
    parent_signal_id: Joi.string().max(100).required().description('id of the signal'),
    exchange: Joi.string().max(40).description('only if it is executed on this exchange').example('PAPER'),
  }),
  output: getFollowedSignal.output,
  errors: ['unknown_signal'],
  async handle({ parent_signal_id, exchange }, deps, caller) {
    if (exchange !== undefined) deps.exchanges.exchanges.requireName(exchange);
    const { userId } = caller.user!;
    const execution = await deps.storage.executionReads.find(userId, parent_signal_id);
    if (!execution || (exchange !== undefined && execution.exchange !== exchange))
      throw unknownFollowedSignal(parent_signal_id);
    await deps.storage.executionReads.wishClose({ userId, signalId: parent_signal_id });
    return getFollowedSignal.handle({ parent_signal_id }, deps, caller);
  },
});
