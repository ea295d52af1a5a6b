import Joi from 'joi';
import type { ParamsQuestion } from '../../../compute/task.js';
import type { TaskInput, TaskName, TaskOutput } from '../../../compute/tasks.js';
import type { Job } from '../../job.js';
import { defineTaskJob } from './task-job.js';

/** The tasks that are asked about nothing but their parameters. */
export type ParamsTaskName = {
  [Name in TaskName]: keyof TaskInput<Name> extends 'params' ? Name : never;
}[TaskName];

type ParamsOf<Name extends ParamsTaskName> = (TaskInput<Name> & ParamsQuestion)['params'];

export interface ParamsPayload<Params> {
  params: Params;
}

/** A job that asks the task of the same name; no candles are read. */
export const defineParamsJob = <const Name extends ParamsTaskName>({
  name,
  params,
}: {
  name: Name;
  params: Joi.ObjectSchema<ParamsOf<Name>>;
}): Job<Name, ParamsPayload<ParamsOf<Name>>, TaskOutput<Name>> =>
  defineTaskJob({
    name,
    payload: Joi.object<ParamsPayload<ParamsOf<Name>>>({ params: params.required() }),
    async ask({ params }) {
      const question: ParamsQuestion = { params };
      return question;
    },
  });
