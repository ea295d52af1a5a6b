import Joi from 'joi';
import { assetField, tradeMarketField } from '../../../compute/model/asset-fields.js';
import { fieldError } from '../../../compute/model/errors.js';
import { field, type Values } from '../../../compute/model/field.js';
import { intervalMs, researchIntervals, type ResearchInterval } from '../../../compute/model/interval.js';
import { keysOf } from '../../../jobs/definitions/shared/field-schema.js';
import { checkedStrategy, type CheckedStrategy } from '../../../jobs/definitions/shared/checked-strategy.js';
import { researchDescription, type ResearchJobData } from '../../../jobs/definitions/research-backtest.js';
import type { Series } from '../../../storage/candles/series.js';
import type { SignedIn } from '../../../storage/users/signed-in-directory.js';
import type { Deps } from '../../context.js';
import { findSeries, keyAndDigest } from '../analysis/series-input.js';
import { rulesOf, type GivenStrategy } from './rules-of.js';

const moment = (text: string, example: string) =>
  field.nullable(field.time(text, { example }), { default: null });

/** The settings of a run, beside strategy and assets. */
const runFields = {
  tradeMarket: tradeMarketField,
  interval: field.choice('length of a candle', researchIntervals, { default: '1d' }),
  from: moment(
    'start of the window, a day or time in UTC, ISO 8601; null: start of the history',
    '2021-01-01',
  ),
  to: moment('end of the window: candles that had closed by then; null: end of the history', '2026-01-01'),
  ...researchDescription.costs,
  initialEquity: field.number('worth of the account at the start', {
    min: 100,
    max: 1e9,
    unit: 'quote',
    default: 10_000,
  }),
  shortCostPercentPerDay: field.number('what an open short pays a day, of its worth at the entry', {
    min: -1,
    max: 5,
    unit: 'percent',
    default: 0,
  }),
};

const accountFields = {
  maxPositions: field.nullable(
    field.integer('most positions at one time; null: the number of assets', { min: 1, max: 20 }),
    { default: null },
  ),
  rankBy: field.nullable(
    field.text('column that ranks entries of one open, lowest first; highest first with a - before it', {
      maxLength: 100,
    }),
    { default: null },
  ),
};

export type RunInput = Values<typeof runFields> & {
  strategy: GivenStrategy;
  params: Record<string, unknown>;
  asset?: string;
};

export type ResearchInput = RunInput & Values<typeof accountFields> & { assets?: string[] };

export const strategyKeys = {
  strategy: Joi.alternatives(Joi.object().unknown(), Joi.string().max(100))
    // `parseStrategy` says what is wrong with it.
    .meta({ component: 'GivenStrategy' })
    .required()
    .description(
      'rules as JSON, `str_<id>` or `str_<id>@<version>` of a saved strategy, the hash of a shared version, or the name of a template such as ema_cross',
    )
    .example('ema_cross'),
  params: Joi.object()
    .pattern(Joi.string().max(40), Joi.number().description('value of the parameter'))
    .default({})
    .description('values of parameters of the strategy; the others have their defaults'),
};

const { asset } = keysOf({ asset: assetField });

/** The input of a run on one asset. */
export const runKeys = {
  ...strategyKeys,
  asset: asset.optional(),
  ...keysOf(runFields),
};

/** The input of a run on one or several assets. */
export const researchInput = Joi.object<ResearchInput>({
  ...runKeys,
  assets: Joi.array()
    .items(asset.optional())
    .min(1)
    .max(20)
    .unique()
    .description('assets of one account, instead of `asset`'),
  ...keysOf(accountFields),
});

/** What a job needs of a request, and the series it rests on. */
export interface ResearchRequest {
  data: ResearchJobData;
  series: Series<ResearchInterval>[];
  checked: CheckedStrategy;
}

/** The data of the job of a request. Throws `invalid_input` for strategy, window and assets, the first in this order. */
export async function researchRequest(
  input: RunInput & Partial<ResearchInput>,
  deps: Deps,
  user: SignedIn | null = null,
): Promise<ResearchRequest> {
  const { interval, rankBy = null, maxPositions = null } = input;
  const given = await rulesOf(input.strategy, deps, user);
  const checked = checkedStrategy(given, interval, input.params);
  if (rankBy !== null) researchDescription.parseRank(rankBy, interval);
  const { fromMs, toMs } = windowOfInput(input);
  const assets = assetsOf(input);
  const { tradeMarket } = input;
  const series = await Promise.all(assets.map((asset) => findSeries({ asset, tradeMarket, interval }, deps)));
  const twice = series.find(({ base }, n) => series.findIndex((each) => each.base === base) < n);
  if (twice) throw fieldError('assets', `"assets" names ${twice.base} twice`);
  refuseTooMany(series, fromMs, toMs);
  const settings = {
    fromMs,
    toMs,
    costs: researchDescription.costsOf(input),
    feeReason: researchDescription.feeOf(input).feeReason,
    shortCostPercentPerDay: input.shortCostPercentPerDay,
    initialEquity: input.initialEquity,
    maxPositions: maxPositions ?? assets.length,
    rankBy,
  };
  const { rules, hash, params } = checked;
  return {
    data: { series: keyedSeries(series), strategy: rules, strategyHash: hash, params, settings },
    series,
    checked,
  };
}

/** Series as jobs name them. */
export const keyedSeries = (series: readonly Series<ResearchInterval>[]): ResearchJobData['series'] =>
  series.map((each) => ({ asset: each.base, ...keyAndDigest(each) }));

/** The most candles of a run, those of all its assets together. */
const mostCandles = 600_000;

/** Throws `invalid_input` if the series have too many candles between these times. */
function refuseTooMany(
  series: readonly Series<ResearchInterval>[],
  fromMs: number | null,
  toMs: number | null,
): void {
  const within = ({ first, last, count, interval }: Series<ResearchInterval>) => {
    const lengthMs = intervalMs(interval);
    const lasts = Math.min(last + lengthMs, toMs ?? Infinity) - Math.max(first, fromMs ?? -Infinity);
    return Math.min(count, Math.max(0, Math.floor(lasts / lengthMs)));
  };
  const found = series.reduce((sum, each) => sum + within(each), 0);
  if (found > mostCandles)
    throw fieldError(
      'from',
      `at most ${mostCandles} candles can be tested in one run, found ${found}: ask for a later "from", an earlier "to" or a longer interval`,
    );
}

function assetsOf({ asset, assets }: Pick<ResearchInput, 'asset' | 'assets'>): string[] {
  if (asset !== undefined && assets !== undefined)
    throw fieldError('assets', 'expected "asset" or "assets", found both');
  if (assets) return assets;
  if (asset === undefined) throw fieldError('asset', '"asset" or "assets" is required');
  return [asset];
}

function windowOfInput({ from, to }: Pick<RunInput, 'from' | 'to'>) {
  if (from !== null && to !== null && to <= from) throw fieldError('to', '"to" must be after "from"');
  return { fromMs: from, toMs: to };
}
