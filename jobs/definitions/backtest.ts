import { createHash } from 'node:crypto';
import Joi from 'joi';
import type { Costs } from '../../compute/backtest/engine.js';
import type { Period } from '../../compute/model/interval.js';
import { reportPart, type OnProgress } from '../../compute/model/progress.js';
import { seedFrom } from '../../compute/model/random.js';
import type { StrategyName } from '../../compute/strategies/index.js';
import { backtestReport, type BacktestReport } from '../../compute/backtest/backtest-task.js';
import { exchangeFeeRows } from '../../compute/backtest/exchange-fees.js';
import { costFields, costsOf, feeOf, fillRule, defaultCosts } from '../../compute/backtest/trading-costs.js';
import { periodField, strategyField, strategyParamsField } from '../../compute/backtest/trading-fields.js';
import { engineVersion } from '../../compute/model/engine-version.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import type { CachedSeries } from '../node/candle-cache.js';
import { defineJob } from '../job.js';
import type { ThreadPool } from '../node/pool.js';
import type { EncodedResult } from '../requests/encoded-result.js';

export interface BacktestJobData {
  key: SeriesKey;
  /** The digest of the series that the gateway knows. A node that has another version reads the series again. */
  digest: string;
  period: Period;
  strategy: StrategyName;
  params: Record<string, number>;
  costs: Costs;
  /** Where the fee comes from, a sentence of the report. */
  feeReason?: string;
}

/** The report of the engine, with the id of its inputs: the same id means the same report. */
export type BacktestResult = BacktestReport & { id: string };

/** A backtest as callers see it: the fields of its parameters and of its report. */
export const backtestDescription = {
  params: { period: periodField, strategy: strategyField, params: strategyParamsField, ...costFields },
  report: backtestReport,
  costsOf,
  feeOf,
  /** What every backtest assumes where its caller says nothing else. */
  assumptions: { fill: fillRule, ...defaultCosts },
  exchangeFees: exchangeFeeRows,
};

/** Backtests a strategy over the end of a series. */
export const backtestJob = defineJob({
  name: 'backtest',
  queue: 'backtest',
  timeoutMs: 60_000,
  payload: Joi.object<BacktestJobData>({
    key: Joi.object().required(),
    digest: Joi.string().required(),
    period: Joi.string().required(),
    strategy: Joi.string().required(),
    params: Joi.object().pattern(Joi.string(), Joi.number()).required(),
    costs: Joi.object().required(),
    feeReason: Joi.string(),
  }),
  async run(payload, { candles: cache, pool }, { signal, timings, progress }) {
    const { key, digest, period, strategy, params, costs, feeReason } = payload;
    const started = performance.now();
    const cached = await cache.get(key, digest);
    const loaded = performance.now();
    timings.candles = loaded - started;
    const targets = await decisionsOf(cached, payload, pool, signal, reportPart(progress, 0, 0.9));
    const decided = performance.now();
    timings.decide = decided - loaded;
    const { candles, contentDigest } = cached;
    const id = reportId(payload, contentDigest);
    const { output, computeMs } = await pool.runToText(
      'backtest',
      {
        id,
        candles,
        targets,
        interval: key.interval,
        period,
        strategy,
        params,
        costs,
        ...(feeReason === undefined ? {} : { feeReason }),
      },
      signal,
      reportPart(progress, 0.9, 1),
    );
    timings.thread = performance.now() - decided - computeMs;
    timings.compute = computeMs;
    // The output has an id because the input has one.
    return output as EncodedResult<BacktestResult>;
  },
});

/** SHA-256 of all inputs of a report, in hex. */
function reportId(
  { key, period, strategy, params, costs, feeReason }: BacktestJobData,
  contentDigest: string,
): string {
  const settings = [period, strategy, params, costs, feeReason];
  const inputs = JSON.stringify([engineVersion, key, ...settings, contentDigest]);
  return createHash('sha256').update(inputs).digest('hex');
}

/**
 * The decisions of the strategy on the cached candles. They depend on the candles and the parameters, not on the window or
 * the costs, so they are computed and checked once and kept with the candles.
 */
async function decisionsOf(
  { candles, contentDigest, decisions }: CachedSeries,
  { key, strategy, params }: BacktestJobData,
  pool: ThreadPool,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Int8Array> {
  const name = JSON.stringify([strategy, params]);
  const known = decisions.get(name);
  if (known instanceof Int8Array) return known;
  const seed = seedFrom(`${contentDigest} ${name}`);
  const input = { candles, interval: key.interval, strategy, params, seed };
  const { output } = await pool.run('decide', input, signal, onProgress);
  decisions.set(name, output);
  return output;
}
