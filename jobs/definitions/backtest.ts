import { createHash } from 'node:crypto';
import Joi from 'joi';
import type { Costs } from '../../compute/backtest/engine.js';
import type { Period } from '../../compute/model/interval.js';
import { reportPart, type OnProgress } from '../../compute/model/progress.js';
import { seedFrom } from '../../compute/model/random.js';
import type { StrategyName } from '../../compute/strategies/index.js';
import type { BacktestOutput } from '../../compute/tasks/backtest.js';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import type { CachedSeries } from '../node/candle-cache.js';
import { defineJob } from '../job.js';
import type { ThreadPool } from '../node/pool.js';

export interface BacktestPayload {
  key: SeriesKey;
  /** The digest of the series as the caller knows it: a node that has an older one reads it anew. */
  digest: string;
  period: Period;
  strategy: StrategyName;
  params: Record<string, number>;
  costs: Costs;
}

/** The report of the engine, and the id of the inputs it follows from: the same id, the same report. */
export type BacktestResult = BacktestOutput & { id: string };

/** Trades a strategy over the end of a series. */
export const backtestJob = defineJob({
  name: 'backtest',
  queue: 'backtest',
  timeoutMs: 60_000,
  payload: Joi.object<BacktestPayload>({
    key: Joi.object().required(),
    digest: Joi.string().required(),
    period: Joi.string().required(),
    strategy: Joi.string().required(),
    params: Joi.object().pattern(Joi.string(), Joi.number()).required(),
    costs: Joi.object().required(),
  }),
  async run(payload, { candles: cache, pool }, { signal, timings, progress }): Promise<BacktestResult> {
    const { key, digest, period, strategy, params, costs } = payload;
    const started = performance.now();
    const cached = await cache.get(key, digest);
    const { candles, contentDigest } = cached;
    timings.candles = performance.now() - started;

    const input = { candles, interval: key.interval, period, strategy, params, costs, lookAheadSeed: null };
    const loaded = performance.now();
    const targets = await decisionsOf(cached, payload, pool, signal, reportPart(progress, 0, 0.9));
    const asked = performance.now();
    timings.decide = asked - loaded;
    const { output, computeMs } = await pool.run(
      'backtest',
      { ...input, targets },
      signal,
      reportPart(progress, 0.9, 1),
    );
    timings.thread = performance.now() - asked - computeMs;
    timings.compute = computeMs;

    const inputs = JSON.stringify([engineVersion, key, period, strategy, params, costs, contentDigest]);
    return { ...output, id: createHash('sha256').update(inputs).digest('hex') };
  },
});

/**
 * What the strategy decides on the candles, made and checked once for as long as they are cached: the decisions change
 * with a candle or a parameter, not with window and costs.
 */
async function decisionsOf(
  { candles, contentDigest, decisions }: CachedSeries,
  { key, strategy, params }: BacktestPayload,
  pool: ThreadPool,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Int8Array> {
  const name = JSON.stringify([strategy, params]);
  const known = decisions.get(name);
  if (known) return known;
  const seed = seedFrom(`${contentDigest} ${name}`);
  const input = { candles, interval: key.interval, strategy, params, seed };
  const { output } = await pool.run('decide', input, signal, onProgress);
  decisions.set(name, output);
  return output;
}
