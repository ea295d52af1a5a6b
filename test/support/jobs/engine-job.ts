import Joi from 'joi';
import { engineVersion } from '../../../compute/model/engine-version.js';
import { defineJob } from '../../../jobs/job.js';

/** What the job answers: which engine computed it. */
export interface EngineAnswer {
  n: number;
  engine: string;
}

/** Tells which engine computes it. It takes as long as `takes` says, at most until `go` resolves. */
export const engineJob = (takes: (n: number) => Promise<unknown>) =>
  defineJob({
    name: 'which engine',
    queue: 'analysis',
    timeoutMs: 60_000,
    payload: Joi.object<{ n: number }>({ n: Joi.number().required() }),
    async run({ n }): Promise<EngineAnswer> {
      await takes(n);
      return { n, engine: engineVersion };
    },
  });
