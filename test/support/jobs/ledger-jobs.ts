import Joi from 'joi';
import { setTimeout as pause } from 'node:timers/promises';
import { defineJob, type JobRun, type JobTools } from '../../../jobs/job.js';
import { tellPool } from './misbehaving-pool.js';
import type { Misdeed } from './misbehaving-worker.js';

/** A numbered question: its answer is known beforehand, and takes a while. */
export interface Numbered {
  n: number;
  ms: number;
}

export interface Misbehaving {
  n: number;
  how: 'exit' | 'grow' | 'loop';
}

/** What is right to answer. */
export const answerOf = (n: number): string => `${n} ${n * n}`;

const numbered = Joi.object<Numbered, true>({ n: Joi.number().required(), ms: Joi.number().required() });

async function answer({ n, ms }: Numbered, { pool }: JobTools, { signal }: JobRun): Promise<string> {
  await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  return (await tellPool(pool, { do: 'answer', value: answerOf(n) }, signal)).output as string;
}

/** Many in one batch. */
export const light = defineJob({
  name: 'light',
  queue: 'analysis',
  timeoutMs: 15_000,
  payload: numbered,
  run: answer,
});

/** One that travels alone. */
export const heavy = defineJob({ ...light, name: 'heavy', queue: 'backtest' });

/** One that asks the database as well. */
export const stored = defineJob({
  ...light,
  name: 'stored',
  queue: 'scan',
  async run(payload: Numbered, tools: JobTools, run: JobRun) {
    await tools.storage.candles.load({ market: 'csv', base: 'BTC', quote: 'USDT', interval: '1h' });
    return answer(payload, tools, run);
  },
});

/** One whose thread does not come back. */
export const misbehaving = defineJob({
  name: 'misbehaving',
  queue: 'backtest',
  timeoutMs: 3_000,
  payload: Joi.object<Misbehaving, true>({
    n: Joi.number().required(),
    how: Joi.string<Misbehaving['how']>().valid('exit', 'grow', 'loop').required(),
  }),
  async run({ how }: Misbehaving, { pool }, { signal }): Promise<string> {
    return (await tellPool(pool, misdeeds[how](), signal)).output as string;
  },
});

const misdeeds: Record<Misbehaving['how'], () => Misdeed> = {
  exit: () => ({ do: 'exit', code: 1 }),
  grow: () => ({ do: 'grow' }),
  loop: () => ({ do: 'loop', counter: new Int32Array(new SharedArrayBuffer(4)) }),
};

export const ledgerJobs = [light, heavy, stored, misbehaving];
