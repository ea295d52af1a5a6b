import { assessRisk } from './assess-risk.js';
import { backtest } from './backtest.js';
import { coreLine } from './core-line.js';
import { dcaLadder } from './dca-ladder.js';
import { decide } from './decide.js';
import { performance } from './performance.js';
import { positionSize } from './position-size.js';
import { recurringBuy } from './recurring-buy.js';
import { seasonality } from './seasonality.js';
import { similarHistory } from './similar-history.js';
import { tailRisk } from './tail-risk.js';
import { targetProbability } from './target-probability.js';

/** Everything a thread can be asked, in the order of the alphabet. */
export const tasks = [
  assessRisk,
  backtest,
  coreLine,
  dcaLadder,
  decide,
  performance,
  positionSize,
  recurringBuy,
  seasonality,
  similarHistory,
  tailRisk,
  targetProbability,
] as const;

export type AnyTask = (typeof tasks)[number];

export type TaskName = AnyTask['name'];

/** What the task of that name takes and gives. */
export type TaskInput<Name extends TaskName> = Parameters<Extract<AnyTask, { name: Name }>['run']>[0];
export type TaskOutput<Name extends TaskName> = ReturnType<Extract<AnyTask, { name: Name }>['run']>;
