import Joi from 'joi';
import type { MarketQuestion } from '../../../compute/task.js';
import type { TaskInput, TaskName, TaskOutput } from '../../../compute/tasks.js';
import type { Job, QueueName } from '../../job.js';
import { loadPairs, type MarketChoice } from './load-pairs.js';
import { defineTaskJob } from './task-job.js';

/** The tasks that are asked about several pairs. */
export type MarketTaskName = {
  [Name in TaskName]: TaskInput<Name> extends MarketQuestion ? Name : never;
}[TaskName];

type ParamsOf<Name extends MarketTaskName> = (TaskInput<Name> & MarketQuestion)['params'];

export type MarketPayload<Params> = MarketChoice & {
  /** The version of the market as the caller knows it: with another one the answer may be another. */
  version: string;
  params: Params;
};

/** A job that asks the task of the same name about several pairs. */
export const defineMarketJob = <const Name extends MarketTaskName>({
  params,
  ...rest
}: {
  name: Name;
  params: Joi.ObjectSchema<ParamsOf<Name>>;
  queue?: QueueName;
  timeoutMs?: number;
}): Job<Name, MarketPayload<ParamsOf<Name>>, TaskOutput<Name>> =>
  defineTaskJob({
    ...rest,
    payload: Joi.object<MarketPayload<ParamsOf<Name>>>({
      market: Joi.string().required(),
      tradeMarket: Joi.string().required(),
      interval: Joi.string().required(),
      assets: Joi.array().items(Joi.string()).allow(null).required(),
      version: Joi.string().required(),
      params: params.required(),
    }),
    async ask({ params, ...choice }, tools) {
      const pairs = await loadPairs(choice, tools);
      const question: MarketQuestion = { pairs, interval: choice.interval, params };
      return question;
    },
  });
