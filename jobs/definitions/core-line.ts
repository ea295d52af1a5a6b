import Joi from 'joi';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import { defineJob } from '../job.js';

export interface CoreLineJobData {
  key: SeriesKey;
  digest: string;
}

/** The version of the candles that a core line was computed from. A stored core line with the current basis is up to date. */
export const coreLineBasis = (digest: string): string => `${engineVersion}:${digest}`;

/** Computes the trend state, chart and flips of a series, and stores them so that requests read them without a job. */
export const coreLineJob = defineJob({
  name: 'core-line',
  queue: 'analysis',
  timeoutMs: 10_000,
  // Requests read the stored core line, not this result. A later job has to store it again.
  keepMs: () => 2_000,
  payload: Joi.object<CoreLineJobData>({ key: Joi.object().required(), digest: Joi.string().required() }),
  async run(
    { key, digest },
    { candles: cache, pool, storage },
    { signal, timings },
  ): Promise<{ basis: string }> {
    const started = performance.now();
    const { candles, series } = await cache.get(key, digest);
    timings.candles = performance.now() - started;
    const { output, computeMs } = await pool.run('core-line', { candles, interval: key.interval }, signal);
    timings.compute = computeMs;
    const basis = coreLineBasis(series.digest);
    await storage.coreLines.put(key, { basis, view: output });
    return { basis };
  },
});
