import Joi from 'joi';
import type { ParamSpec } from '../../../compute/model/indicator.js';
import { paramsOf } from '../../../compute/model/indicator.js';
import { periods, type Period } from '../../../compute/model/interval.js';
import { strategyNamed, strategyNames, type StrategyName } from '../../../compute/strategies/index.js';
import { backtestJob, type BacktestResult } from '../../../jobs/definitions/backtest.js';
import { defineOperation, readInput } from '../../operation.js';
import { backtestOutput } from './backtest-output.js';
import { findSeries, secondsToNextClose, seriesInput, type SeriesInput } from './series-input.js';

export interface BacktestInput extends SeriesInput {
  period: Period;
  strategy: StrategyName;
  params: Record<string, number>;
  feeRate: number;
  slippageRate: number;
}

export type BacktestPayload = BacktestResult & {
  asset: string;
  tradeMarket: string;
  interval: string;
  period: Period;
  strategy: StrategyName;
  params: Record<string, number>;
  source: string;
};

const rate = () => Joi.number().min(0).max(0.1);

/** How a strategy would have traded an asset over the last 3, 6 or 12 months. */
export const backtest = defineOperation<BacktestInput, BacktestPayload>({
  id: 'backtest',
  summary: 'How a strategy would have traded an asset over the last 3, 6 or 12 months.',
  scope: 'user',
  cost: 10,
  hasEtag: true,
  input: Joi.object<BacktestInput, true>({
    ...seriesInput,
    period: Joi.string()
      .valid(...periods)
      .default('1y')
      .description('length of the window, which ends at the last closed candle'),
    strategy: Joi.string()
      .valid(...strategyNames)
      .default('trend_state')
      .description('name of the strategy'),
    params: Joi.object()
      .pattern(Joi.string(), Joi.number())
      .default({})
      .description('parameters of the strategy, by name; others keep their defaults'),
    feeRate: rate().default(0.001).description('fee per side as a fraction'),
    slippageRate: rate().default(0.0005).description('slippage per side as a fraction'),
  }),
  output: backtestOutput,
  errors: ['not_enough_history'],
  async handle(input, deps, { requestId, user, signal, timings }) {
    const { asset, tradeMarket, interval, period, strategy, feeRate, slippageRate } = input;
    const { params } = readInput(paramsSchema(strategyNamed(strategy).params), { params: input.params });
    const series = await findSeries(input, deps);
    const { market, base, quote, digest } = series;
    const payload = {
      key: { market, base, quote, interval },
      digest,
      period,
      strategy,
      params: paramsOf(strategyNamed(strategy).params, params),
      costs: { feeRate, slippageRate },
    };
    const timeoutMs = deps.settings.BACKTEST_TIMEOUT_MS;
    const asked = { traceId: requestId, owner: user!.userId, signal, timeoutMs };
    const answer = await deps.queues.run(backtestJob, payload, asked);
    Object.assign(timings, answer.timings);
    return {
      payload: {
        ...answer.result,
        asset,
        tradeMarket,
        interval,
        period,
        strategy,
        params: payload.params,
        source: market,
      },
      ttl: secondsToNextClose(series),
      etag: answer.result.id.slice(0, 32),
    };
  },
});

/** The schema of a strategy's parameters, under the field `params`. */
function paramsSchema(
  specs: Readonly<Record<string, ParamSpec>>,
): Joi.ObjectSchema<{ params: Record<string, number> }> {
  const fields = Object.entries(specs).map(([name, { min, max, step = 1 }]) => {
    const number = Joi.number().min(min).max(max);
    return [name, step === 1 ? number.integer() : number];
  });
  return Joi.object({ params: Joi.object(Object.fromEntries(fields) as Record<string, Joi.NumberSchema>) });
}
