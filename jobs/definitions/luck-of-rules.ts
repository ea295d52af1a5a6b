import Joi from 'joi';
import type { LuckOfRulesInput } from '../../compute/backtest/luck-of-rules-task.js';
import type { MonteCarloReport } from '../../compute/backtest/monte-carlo.js';
import { ignoreProgress } from '../../compute/model/progress.js';
import { defineJob } from '../job.js';
import { decisionsOf, type ResearchJobData } from './research-backtest.js';

export type LuckJobData = Pick<ResearchJobData, 'series' | 'strategy' | 'settings'> &
  Pick<LuckOfRulesInput, 'paths' | 'seed'>;

/** How much of the result of a run of rules luck could be. */
export const luckOfRulesJob = defineJob({
  name: 'luck-of-rules',
  queue: 'backtest',
  timeoutMs: 60_000,
  payload: Joi.object<LuckJobData>({
    series: Joi.array().items(Joi.object()).required(),
    strategy: Joi.object().required(),
    settings: Joi.object().required(),
    paths: Joi.number().required(),
    seed: Joi.number().required(),
  }),
  async run(payload, tools, { signal, progress }): Promise<MonteCarloReport> {
    const { series, strategy, settings, paths, seed } = payload;
    const cached = await Promise.all(series.map(({ key, digest }) => tools.candles.get(key, digest)));
    const assets: LuckOfRulesInput['assets'][number][] = [];
    for (const [n, each] of cached.entries()) {
      const decisions = await decisionsOf(each, payload, tools, signal, ignoreProgress);
      assets.push({ asset: series[n].asset, candles: each.candles, decisions });
    }
    const { interval } = series[0].key;
    const input = { assets, interval, strategy, settings, paths, seed };
    const { output } = await tools.pool.run('luck-of-rules', input, signal, progress);
    return output;
  },
});
