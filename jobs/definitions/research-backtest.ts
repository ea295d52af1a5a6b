import { createHash } from 'node:crypto';
import Joi from 'joi';
import { researchReport, type ResearchReport } from '../../compute/backtest/rules-report.js';
import type { RuleSettings } from '../../compute/backtest/trade-rules-task.js';
import { costFields, costsOf, feeOf } from '../../compute/backtest/trading-costs.js';
import { engineVersion } from '../../compute/model/engine-version.js';
import { reportPart, type OnProgress } from '../../compute/model/progress.js';
import { seedFrom } from '../../compute/model/random.js';
import type { StrategyJson } from '../../compute/rules/canonical-rules.js';
import type { RuleDecisions } from '../../compute/rules/decide-rules.js';
import { parseRank } from '../../compute/rules/rule-rank.js';
import { strategyNames } from '../../compute/strategies/index.js';
import { templateNamed } from '../../compute/rules/templates.js';
import type { ResearchInterval } from '../../compute/model/interval.js';
import type { SeriesKey } from '../../storage/candles/series.js';
import { defineJob, type JobTools } from '../job.js';
import type { CachedSeries } from '../node/candle-cache.js';
import type { EncodedResult } from '../requests/encoded-result.js';

/** An asset of a run, and the digest of its series that the gateway knows. */
export interface ResearchSeries {
  asset: string;
  key: SeriesKey<ResearchInterval>;
  digest: string;
}

export interface ResearchJobData {
  /** Of one interval; in the order of the request. */
  series: ResearchSeries[];
  /** The rules with their parameters filled in. */
  strategy: StrategyJson;
  strategyHash: string;
  params: Record<string, number>;
  settings: RuleSettings;
}

/** What a run was asked, as its report repeats it. */
export interface ResearchAbout {
  id: string;
  strategyHash: string;
  rules: StrategyJson;
  params: Record<string, number>;
  assets: string[];
  interval: ResearchInterval;
  tradeMarket: string;
  source: string;
}

export type ResearchResult = ResearchAbout & ResearchReport;

/** A backtest of rules as callers see it. */
export const researchDescription = {
  costs: costFields,
  report: researchReport,
  costsOf,
  feeOf,
  parseRank,
  templateNamed,
  templateNames: strategyNames,
};

/** Backtests a trader's own rules on one asset, or on several in one account. */
export const researchBacktestJob = defineJob({
  name: 'research-backtest',
  queue: 'backtest',
  timeoutMs: 60_000,
  payload: Joi.object<ResearchJobData>({
    series: Joi.array().items(Joi.object()).required(),
    strategy: Joi.object().required(),
    strategyHash: Joi.string().required(),
    params: Joi.object().pattern(Joi.string(), Joi.number()).required(),
    settings: Joi.object().required(),
  }),
  async run(payload, tools, { signal, timings, progress }) {
    const { series, strategy, strategyHash, params, settings } = payload;
    const started = performance.now();
    const cached = await Promise.all(series.map(({ key, digest }) => tools.candles.get(key, digest)));
    const loaded = performance.now();
    timings.candles = loaded - started;
    const { interval, quote, market } = series[0].key;
    const decisions: RuleDecisions[] = [];
    for (const [n, each] of cached.entries()) {
      const part = reportPart(progress, (0.9 * n) / cached.length, (0.9 * (n + 1)) / cached.length);
      decisions.push(await decisionsOf(each, payload, tools, signal, part));
    }
    const decided = performance.now();
    timings.decide = decided - loaded;
    const digests = cached.map(({ contentDigest }) => contentDigest);
    const about: ResearchAbout = {
      id: researchId(payload, digests),
      strategyHash,
      rules: strategy,
      params,
      assets: series.map(({ asset }) => asset),
      interval,
      tradeMarket: quote,
      source: market,
    };
    // The check of whole runs covers rules and candles, so other costs and windows need no other.
    const run = JSON.stringify(['run', strategy, settings.rankBy, digests]);
    const isChecked = cached[0].decisions.get(run) !== undefined;
    const { output, computeMs } = await tools.pool.runToText(
      'trade-rules',
      {
        assets: cached.map(({ candles }, n) => ({
          asset: series[n].asset,
          candles,
          decisions: decisions[n],
        })),
        interval,
        strategy,
        settings,
        about,
        checkSeed: isChecked ? null : seedFrom(run),
      },
      signal,
      reportPart(progress, 0.9, 1),
    );
    cached[0].decisions.set(run, checkedRun);
    timings.thread = performance.now() - decided - computeMs;
    timings.compute = computeMs;
    // The output says what was asked because the input does.
    return output as EncodedResult<ResearchResult>;
  },
});

/** Stands for a run that has passed its check. */
const checkedRun = new Int8Array(0);

/** SHA-256 of all inputs of a report, in hex. */
function researchId(
  { series, strategyHash, params, settings }: ResearchJobData,
  digests: readonly string[],
): string {
  const assets = series.map(({ key }, n) => [key, digests[n]]);
  const inputs = JSON.stringify([engineVersion, strategyHash, params, assets, settings]);
  return createHash('sha256').update(inputs).digest('hex');
}

/** The decisions of the rules on the cached candles, which are computed and checked once and kept with the candles. */
export async function decisionsOf(
  { candles, contentDigest, decisions, series: { interval } }: CachedSeries,
  { strategy, settings: { rankBy } }: Pick<ResearchJobData, 'strategy' | 'settings'>,
  { pool }: Pick<JobTools, 'pool'>,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<RuleDecisions> {
  const name = JSON.stringify(['rules', strategy, rankBy]);
  const known = decisions.get(name);
  if (known && !(known instanceof Int8Array)) return known;
  const input = { candles, interval, strategy, rankBy, seed: seedFrom(`${contentDigest} ${name}`) };
  const { output } = await pool.run('decide-rules', input, signal, onProgress);
  decisions.set(name, output);
  return output;
}
