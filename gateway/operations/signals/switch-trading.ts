import Joi from 'joi';
import type { Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { count, answerOf } from '../output-fields.js';

type Switch = (
  of: { userId: string; exchange: string | undefined },
  deps: Deps,
) => Promise<{ subscriptions: number; executions: number }>;

const defineSwitch = (id: string, summary: string, change: Switch) =>
  defineOperation({
    id,
    summary,
    scope: 'user',
    // It has to work however many points are spent.
    cost: 0,
    input: Joi.object<{ exchange?: string }>({
      exchange: Joi.string().max(40).description('only what trades on this exchange').example('PAPER'),
    }),
    output: answerOf({
      subscriptions: count('subscriptions that were changed'),
      executions: count('executions that are notified'),
    }),
    async handle({ exchange }, deps, { user }) {
      if (exchange !== undefined) deps.exchanges.exchanges.requireName(exchange);
      return { payload: await change({ userId: user!.userId, exchange }, deps) };
    },
  });

/** Pauses or resumes subscriptions, and wakes their executions, which act on the change. */
const setPaused =
  (isPaused: boolean): Switch =>
  async (of, { storage }) => ({
    subscriptions: await storage.subscriptions.setPaused(of.userId, isPaused, of.exchange),
    executions: await storage.executionReads.wakeOpen(of),
  });

export const pauseTrading = defineSwitch(
  'pause-trading',
  'Pauses your subscriptions: nothing more is bought; what is held is managed.',
  setPaused(true),
);

export const resumeTrading = defineSwitch('resume-trading', 'Resumes your subscriptions.', setPaused(false));

export const closeAll = defineSwitch(
  'close-all',
  'Withdraws all orders of signals and closes all positions at market, and pauses your subscriptions.',
  async (of, { storage }) => ({
    // The pause comes first, so that nothing is bought after the open positions are closed.
    subscriptions: await storage.subscriptions.setPaused(of.userId, true, of.exchange),
    executions: await storage.executionReads.wishClose(of),
  }),
);
