import type { AnyAnalysis } from '../../../compute/analyses.js';
import type { Need } from '../../../compute/analysis.js';
import { AppError, fieldError } from '../../../compute/model/errors.js';
import { intervalMs, intervals, type Interval } from '../../../compute/model/interval.js';
import type { CandleChoices } from '../../../jobs/definitions/shared/analysis-job.js';
import { versionOf, type Series } from '../../../storage/candles/series.js';
import type { Deps } from '../../context.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import {
  refuseWhileFilling,
  findSeries,
  nearestAsset,
  secondsToNextClose,
  keyAndDigest,
} from './series-input.js';

/** The input of any analysis: its parameters, and the fields that say which candles it reads. */
export type AnalysisInput = Record<string, unknown> & {
  asset?: string;
  tradeMarket?: string;
  interval?: Interval;
};

/** The candles that an input means. */
export interface FoundCandles {
  /** What the job is told of them. */
  choice: CandleChoices[Need];
  /** What the answer says of them. */
  context: object;
  /** Whole seconds until the next candle closes; absent where there are no candles. */
  ttl?: number;
}

type Finder = (
  analysis: AnyAnalysis,
  input: AnalysisInput,
  params: Record<string, unknown>,
  deps: Deps,
) => Promise<FoundCandles>;

/**
 * Finds the candles for each kind of analysis. Throws `invalid_input` for what is not stored, naming the field, and
 * `market_filling` for what is on its way.
 */
export const candleFinders: Record<Need, Finder> = {
  async series(analysis, input, _params, deps) {
    const named = { ...seriesNames(input), interval: intervalOf(analysis, input) };
    const series = await findSeries(named, deps);
    return {
      choice: keyAndDigest(series),
      context: { ...given(analysis, named), ...origin(series.market, [series]) },
      ttl: secondsToNextClose(series),
    };
  },

  async intervals(analysis, input, _params, deps) {
    const { asset, tradeMarket } = seriesNames(input);
    const stored = await Promise.all(
      intervals.map((interval) =>
        deps.series.find({ market: deps.settings.MARKET, base: asset, quote: tradeMarket, interval }),
      ),
    );
    const found = stored.filter((series) => series !== null && series !== undefined);
    const first = found[0] ?? (await findSeries({ asset, tradeMarket, interval: '1h' }, deps));
    const { market, base, quote } = first;
    return {
      choice: { market, base, quote, version: versionOf(found) },
      context: { ...given(analysis, { asset, tradeMarket }), ...origin(market, [first, ...found]) },
      ttl: secondsToNextClose(first),
    };
  },

  async assets(analysis, input, params, deps) {
    const all = await tradedSeries(analysis, input, deps);
    const known = new Map(all.map((series) => [series.base, series]));
    const wanted = analysis.assets!(params).filter((asset) => !isAllowedQuote(asset, analysis, input));
    const unknown = wanted.find((asset) => !known.has(asset));
    if (unknown !== undefined) {
      await refusePending(input, deps, unknown);
      throw unknownAssetIn(params, unknown, all, input);
    }
    const besides = (analysis.besides ?? []).filter((asset) => known.has(asset));
    const chosen = [...new Set([...wanted, ...besides])];
    return marketCandles(
      analysis,
      input,
      deps,
      chosen.map((asset) => known.get(asset)!),
      chosen,
    );
  },

  async market(analysis, input, _params, deps) {
    return marketCandles(analysis, input, deps, await tradedSeries(analysis, input, deps), null);
  },

  async nothing() {
    return { choice: {}, context: {} };
  },
};

/** Where candles come from, and the close time of the newest. */
const origin = (market: string, series: readonly Series[]) => ({
  source: market,
  asOf: utcTime(Math.max(0, ...series.map(({ last, interval }) => last + intervalMs(interval)))),
});

const seriesNames = ({ asset, tradeMarket }: AnalysisInput) => ({ asset: asset!, tradeMarket: tradeMarket! });

const intervalOf = ({ interval }: AnyAnalysis, input: AnalysisInput): Interval => interval ?? input.interval!;

/** The fields that a caller can choose, as they were chosen. */
function given(analysis: AnyAnalysis, named: object): object {
  return Object.fromEntries(
    Object.entries(named).filter(([name]) => name !== 'interval' || analysis.interval === undefined),
  );
}

/** Every stored series of the market on the interval. Throws `invalid_input` where there is none, `market_filling` while they come. */
async function tradedSeries(analysis: AnyAnalysis, input: AnalysisInput, deps: Deps) {
  const { storage, settings } = deps;
  const interval = intervalOf(analysis, input);
  const tradeMarket = input.tradeMarket!;
  const all = await storage.series.traded(settings.MARKET, tradeMarket, interval);
  if (all.length > 0) return all;
  await refusePending(input, deps);
  throw fieldError('tradeMarket', `no ${interval} candles against "${tradeMarket}" are stored`);
}

/** Throws `market_filling` where candles against the quote currency are on their way: those of one asset, or of any. */
async function refusePending({ tradeMarket }: AnalysisInput, deps: Deps, asset?: string): Promise<void> {
  const stored = await deps.storage.series.list(deps.settings.MARKET);
  await refuseWhileFilling({ base: asset, quote: tradeMarket! }, deps, stored);
}

function marketCandles(
  analysis: AnyAnalysis,
  input: AnalysisInput,
  { settings }: Deps,
  series: readonly Series[],
  assets: string[] | null,
): FoundCandles {
  const interval = intervalOf(analysis, input);
  const tradeMarket = input.tradeMarket!;
  const market = settings.MARKET;
  const newest = series.toSorted((left, right) => right.last - left.last).at(0);
  return {
    choice: { market, tradeMarket, interval, assets, version: versionOf(series) },
    context: { ...given(analysis, { interval, tradeMarket }), ...origin(market, series) },
    ...(newest ? { ttl: secondsToNextClose(newest) } : {}),
  };
}

/** The quote currency has no candles: where the analysis allows it, it is left out of the choice. */
const isAllowedQuote = (
  asset: string,
  { allowsQuote }: AnyAnalysis,
  { tradeMarket }: AnalysisInput,
): boolean => allowsQuote === true && asset === tradeMarket;

function unknownAssetIn(
  params: Record<string, unknown>,
  asset: string,
  known: readonly Series[],
  { tradeMarket }: AnalysisInput,
): AppError {
  const message = `no candles of "${asset}/${tradeMarket}" are stored${nearestAsset(asset, known)}`;
  return fieldError(fieldNaming(params, asset), message, 'invalid_input', { asset });
}

/** The parameter that names an asset, in whatever form. */
const fieldNaming = (params: Record<string, unknown>, asset: string): string =>
  Object.keys(params).find((name) => JSON.stringify(params[name])?.includes(`"${asset}"`)) ?? 'assets';

/**
 * An error of too little history, completed by the field that names the asset: analyses do not know how callers name assets.
 * Without a field the error is about `asset`.
 */
export function withAssetField(
  error: unknown,
  analysis: AnyAnalysis,
  params: Record<string, unknown>,
): unknown {
  if (!(error instanceof AppError) || error.code !== 'not_enough_history') return error;
  if (error.details.field !== undefined || analysis.needs === 'series' || analysis.needs === 'intervals')
    return error;
  const [first = ''] = analysis.assets?.(params) ?? [];
  const { code, message, details } = error;
  const field =
    analysis.needs === 'market' ? 'tradeMarket' : fieldNaming(params, String(details.asset ?? first));
  return new AppError(code, message, { details: { ...details, field }, cause: error });
}
