import Joi from 'joi';
import { AppError } from '../../compute/model/errors.js';
import type { RiskAssessment, TradeSide } from '../../compute/model/risk-assessment.js';
import { neededCandles } from '../../compute/risk/assess-risk.js';
import type { Market } from '../../storage/series.js';
import { defineJob } from '../job.js';

/** The pair whose trend stands for the market's. */
const leadingPair = { base: 'BTC', quote: 'USDT' } as const;

export interface AssessRiskPayload {
  market: Market;
  base: string;
  quote: string;
  side: TradeSide;
}

/** The risk of a trade on one side, from closed 1h candles of the pair and of BTC/USDT as they are stored now. */
export const assessRiskJob = defineJob({
  name: 'assess-risk',
  queue: 'analysis',
  timeoutMs: 10_000,
  payload: Joi.object<AssessRiskPayload, true>({
    market: Joi.string().required(),
    base: Joi.string().required(),
    quote: Joi.string().required(),
    side: Joi.string().valid('long', 'short').required(),
  }),
  async run(
    { market, base, quote, side },
    { candles, pool, storage },
    signal,
    timings,
  ): Promise<RiskAssessment> {
    const started = performance.now();
    const load = async (pair: { base: string; quote: string }) => {
      const key = { market, ...pair, interval: '1h' } as const;
      const series = await storage.series.find(key);
      if (series) return (await candles.get(key, series.digest)).candles;
      const message = `no 1h candles of "${pair.base}/${pair.quote}" are stored`;
      throw new AppError('not_enough_history', message, { details: { needed: neededCandles, found: 0 } });
    };
    const [coin, leading] = await Promise.all([load({ base, quote }), load(leadingPair)]);
    timings.candles = performance.now() - started;
    const isLeading = base === leadingPair.base;
    const { output, computeMs } = await pool.run(
      'assess-risk',
      { candles: coin, leading, isLeading, side },
      signal,
    );
    timings.compute = computeMs;
    return output;
  },
});
