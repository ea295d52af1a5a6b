import { analyses } from '../analyses.js';
import { backtest } from './backtest.js';
import { coreLine } from './core-line.js';
import { decide } from './decide.js';
import { assessRiskTask } from './assess-risk.js';
import { sweepTask } from './sweep.js';

/** Everything a thread can be asked, in the order of the alphabet. */
export const tasks = [...analyses, assessRiskTask, backtest, coreLine, decide, sweepTask] as const;

export type AnyTask = (typeof tasks)[number];

export type TaskName = AnyTask['name'];

/** What the task of that name takes and gives. */
export type TaskInput<Name extends TaskName> = Parameters<Extract<AnyTask, { name: Name }>['run']>[0];
export type TaskOutput<Name extends TaskName> = ReturnType<Extract<AnyTask, { name: Name }>['run']>;
