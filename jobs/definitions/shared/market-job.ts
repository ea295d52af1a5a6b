import Joi from 'joi';
import { AppError } from '../../../compute/model/errors.js';
import type { Interval } from '../../../compute/model/interval.js';
import type { MarketQuestion, PairCandles } from '../../../compute/task.js';
import type { TaskInput, TaskName, TaskOutput } from '../../../compute/tasks/index.js';
import type { Market, Series } from '../../../storage/candles/series.js';
import type { Job, JobTools, QueueName } from '../../job.js';
import { defineTaskJob } from './task-job.js';

/** The tasks that are asked about several pairs. */
export type MarketTaskName = {
  [Name in TaskName]: TaskInput<Name> extends MarketQuestion ? Name : never;
}[TaskName];

type ParamsOf<Name extends MarketTaskName> = (TaskInput<Name> & MarketQuestion)['params'];

/** Which pairs of a market are asked about, on one interval. */
export interface MarketChoice {
  market: Market;
  tradeMarket: string;
  interval: Interval;
  /** The assets, in the order in which they are handed over; null: all that are stored, in the order of the alphabet. */
  assets: readonly string[] | null;
}

export type MarketPayload<Params> = MarketChoice & {
  /** The version of the market as the caller knows it: with another one the answer may be another. */
  version: string;
  params: Params;
};

/** A job that asks the task of the same name about several pairs. */
export const defineMarketJob = <const Name extends MarketTaskName>({
  params,
  ...rest
}: {
  name: Name;
  params: Joi.ObjectSchema<ParamsOf<Name>>;
  queue?: QueueName;
  timeoutMs?: number;
}): Job<Name, MarketPayload<ParamsOf<Name>>, TaskOutput<Name>> =>
  defineTaskJob({
    ...rest,
    payload: Joi.object<MarketPayload<ParamsOf<Name>>>({
      market: Joi.string().required(),
      tradeMarket: Joi.string().required(),
      interval: Joi.string().required(),
      assets: Joi.array().items(Joi.string()).allow(null).required(),
      version: Joi.string().required(),
      params: params.required(),
    }),
    async ask({ params, ...choice }, tools) {
      const pairs = await loadPairs(choice, tools);
      const question: MarketQuestion = { pairs, interval: choice.interval, params };
      return question;
    },
  });

/** The candles of the chosen pairs as they are stored now. Throws `invalid_input` for an asset that is not stored or named twice. */
export async function loadPairs(
  choice: MarketChoice,
  tools: Pick<JobTools, 'storage' | 'candles'>,
): Promise<PairCandles[]> {
  const { market, tradeMarket, interval, assets } = choice;
  const stored = await tools.storage.series.traded(market, tradeMarket, interval);
  const known = new Map(stored.map((series) => [series.base, series]));
  const twice = assets?.find((asset, n) => assets.indexOf(asset) !== n);
  if (twice !== undefined)
    throw new AppError('invalid_input', `asset "${twice}" is named twice`, { details: { field: 'assets' } });
  const chosen = assets?.map((asset) => known.get(asset) ?? unknownAsset(asset, choice)) ?? stored;
  return Promise.all(
    chosen.map(async (series) => {
      const { candles } = await tools.candles.get(series, series.digest);
      return { asset: series.base, tradeMarket, candles };
    }),
  );
}

function unknownAsset(asset: string, { tradeMarket, interval }: MarketChoice): Series {
  throw new AppError('invalid_input', `no ${interval} candles of "${asset}/${tradeMarket}" are stored`, {
    details: { field: 'assets', asset },
  });
}
