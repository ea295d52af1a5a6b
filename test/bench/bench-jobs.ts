import Joi from 'joi';
import { setTimeout as pause } from 'node:timers/promises';
import type { EncodedResult } from '../../jobs/requests/encoded-result.js';
import { defineJob, type JobRun, type JobTools } from '../../jobs/job.js';

/** A question nobody has asked before, by its number, and how long it takes. */
export interface Numbered {
  n: number;
  ms: number;
}

const numbered = Joi.object<Numbered, true>({ n: Joi.number().required(), ms: Joi.number().required() });

/** Computes for so long in a thread; 0: goes there and comes back. */
export const spinJob = defineJob({
  name: 'spin',
  queue: 'analysis',
  timeoutMs: 10_000,
  share: 1 / 64,
  payload: numbered,
  async run({ ms }: Numbered, { pool }: JobTools, { signal, timings }: JobRun): Promise<EncodedResult<null>> {
    const { output, computeMs } = await pool.runToText('spin' as never, { ms } as never, signal);
    timings.compute = computeMs;
    return output;
  },
});

/** Waits for so long on the node without a thread: work of a machine that this one has not. */
export const waitJob = defineJob({
  name: 'wait',
  queue: 'backtest',
  timeoutMs: 60_000,
  payload: numbered,
  async run({ ms }: Numbered, _tools: JobTools, { signal }: JobRun): Promise<null> {
    await pause(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
    return null;
  },
});
