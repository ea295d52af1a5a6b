import Joi from 'joi';
import type { Analysis, Inputs, Need } from '../../../compute/analysis.js';
import type { AnyAnalysis } from '../../../compute/analyses.js';
import { createCandles } from '../../../compute/model/candles.js';
import { AppError } from '../../../compute/model/errors.js';
import type { Fields, Values } from '../../../compute/model/field.js';
import { intervals, type Interval } from '../../../compute/model/interval.js';
import type { IntervalsQuestion, PairCandles } from '../../../compute/task.js';
import type { Market, Pair, Series, SeriesKey } from '../../../storage/candles/series.js';
import { once } from '../../../storage/process/once.js';
import type { Job, JobTools } from '../../job.js';
import { objectSchema } from './field-schema.js';
import { defineTaskJob } from './task-job.js';

/** The candles in the data of an analysis job: which ones, and the version of them that the caller knows. */
export interface CandleChoices {
  series: { key: SeriesKey; digest: string };
  intervals: Pair & { version: string };
  assets: MarketChoice & { version: string };
  market: MarketChoice & { version: string };
  nothing: object;
}

export type AnalysisJobData<A> =
  A extends Analysis<string, infer N, infer P, unknown> ? CandleChoices[N] & { params: Values<P> } : never;

export type AnalysisOutput<A> = A extends Analysis<string, Need, Fields, infer Output> ? Output : never;

export type AnalysisJob<A extends { name: string }> = Job<A['name'], AnalysisJobData<A>, AnalysisOutput<A>>;

const made = new Map<string, unknown>();

/** The job that computes an analysis: it reads the candles and runs the task of the same name in a thread. */
export function analysisJob<A extends { name: string }>(analysis: A): AnalysisJob<A> {
  if (!made.has(analysis.name)) made.set(analysis.name, makeJob(analysis as unknown as AnyAnalysis));
  return made.get(analysis.name) as AnalysisJob<A>;
}

type AnyJobData = CandleChoices[Need] & { params: object };

function makeJob({ name, needs, params, queue, timeoutMs }: AnyAnalysis): Job<string, AnyJobData, unknown> {
  const read = readers[needs] as (choice: CandleChoices[Need], tools: JobTools) => Promise<object>;
  const payloadOf = once(() =>
    Joi.object<AnyJobData>({ ...choiceKeys[needs], params: objectSchema(params).required() }),
  );
  return defineTaskJob({
    name: name as never,
    queue,
    timeoutMs,
    get payload() {
      return payloadOf();
    },
    async ask({ params, ...choice }, tools) {
      return { ...(await read(choice, tools)), params } as never;
    },
  });
}

const marketKeys = {
  market: Joi.string().required(),
  tradeMarket: Joi.string().required(),
  interval: Joi.string().required(),
  assets: Joi.array().items(Joi.string()).allow(null).required(),
  version: Joi.string().required(),
};

const choiceKeys: { [N in Need]: Joi.StrictSchemaMap<CandleChoices[N]> | object } = {
  series: { key: Joi.object().required(), digest: Joi.string().required() },
  intervals: {
    market: Joi.string<Market>().required(),
    base: Joi.string().required(),
    quote: Joi.string().required(),
    version: Joi.string().required(),
  },
  assets: marketKeys,
  market: marketKeys,
  nothing: {},
};

/** Reads the candles that each kind of analysis needs. */
const readers: {
  [N in Need]: (choice: CandleChoices[N], tools: JobTools) => Promise<Omit<Inputs<object>[N], 'params'>>;
} = {
  async series({ key, digest }, { candles: cache }) {
    const { candles } = await cache.get(key, digest);
    return { candles, interval: key.interval };
  },
  intervals: ({ market, base, quote }, tools) => loadIntervals({ market, base, quote }, tools),
  assets: readMarket,
  market: readMarket,
  async nothing() {
    return {};
  },
};

async function readMarket(choice: MarketChoice, tools: JobTools) {
  return { pairs: await loadPairs(choice, tools), interval: choice.interval };
}

/** The candles of a pair on every interval; empty where none are stored. Throws `invalid_input` without any. */
async function loadIntervals(pair: Pair, { storage, candles: cache }: JobTools): Promise<IntervalsQuestion> {
  const series = await Promise.all(
    intervals.map(async (interval) => {
      const key = { ...pair, interval };
      const stored = await storage.series.find(key);
      const candles = stored ? (await cache.get(key, stored.digest)).candles : createCandles(0);
      return { interval, candles };
    }),
  );
  if (series.some(({ candles }) => candles.time.length > 0)) return { series };
  throw new AppError('invalid_input', `no candles of "${pair.base}/${pair.quote}" are stored`, {
    details: { field: 'asset' },
  });
}

/** Which pairs of a market are asked about, on one interval. */
interface MarketChoice {
  market: Market;
  tradeMarket: string;
  interval: Interval;
  /** The assets, in the order in which they were requested; null: all stored ones, in alphabetical order. */
  assets: readonly string[] | null;
}

/** The candles of the chosen pairs as they are stored now. Throws `invalid_input` for an asset that is not stored or named twice. */
async function loadPairs(
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
