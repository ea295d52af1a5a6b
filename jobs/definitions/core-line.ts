import Joi from 'joi';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import { defineJob } from '../job.js';

export interface CoreLinePayload {
  key: SeriesKey;
  digest: string;
}

/** What a stored core line rests on: it is up to date while its series has this digest. */
export const coreLineBasis = (digest: string): string => `${engineVersion}:${digest}`;

/** Computes the trend state, chart and flips of a series and stores them for light reads. */
export const coreLineJob = defineJob({
  name: 'core-line',
  queue: 'analysis',
  timeoutMs: 10_000,
  // What counts is what it stores: asked for again, it has to be stored again.
  keepMs: () => 2_000,
  payload: Joi.object<CoreLinePayload>({ key: Joi.object().required(), digest: Joi.string().required() }),
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
