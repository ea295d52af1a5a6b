import { AppError, fieldError } from '../../../compute/model/errors.js';
import type { MarketFill } from '../../../storage/candles/feeds.js';
import type { Deps } from '../../context.js';
import { didYouMean } from '../../../compute/model/nearest-names.js';
import { nearestAssets } from '../../../compute/model/nearest-assets.js';
import { intervalMs, type Interval, type ResearchInterval } from '../../../compute/model/interval.js';
import type { Series } from '../../../storage/candles/series.js';

/** Seconds after which to ask again for a pair whose candles are on their way. */
const retryAfterSeconds = 5;

/** The state of a market's history in words: `filling 7/21`, `filled 21/21`, `imported` or `waiting for a market worker`. */
export function fillWords(market: string, { pairs, pending }: MarketFill): string {
  if (market === 'csv') return 'imported';
  if (pairs === 0) return 'waiting for a market worker';
  return `${pending.length === 0 ? 'filled' : 'filling'} ${pairs - pending.length}/${pairs}`;
}

/** Which candles a request wants: of one pair, or of any against a quote currency. */
interface WantedCandles {
  base?: string | undefined;
  quote: string;
}

/**
 * Throws `market_filling` where the wanted candles are on their way, or where no market worker has chosen its pairs yet.
 * Called only for candles that are not stored: a request for stored ones reads nothing more. `stored`: all series of the
 * market.
 */
export async function refuseWhileFilling(
  { base, quote }: WantedCandles,
  { storage, settings }: Pick<Deps, 'storage' | 'settings'>,
  stored: readonly unknown[],
): Promise<void> {
  const market = settings.MARKET;
  const fill = await storage.feeds.fill(market);
  const coming = fill.pending.find(
    (pair) => pair.quote === quote && (base === undefined || pair.base === base),
  );
  const isWaiting = stored.length === 0 && fill.pairs === 0 && market !== 'csv';
  if (!coming && !isWaiting) return;
  const what = coming
    ? `the candles of "${coming.base}/${quote}" are on their way`
    : 'there are no candles yet';
  const message = `${what}: market: ${fillWords(market, fill)}`;
  throw new AppError('market_filling', message, { details: { retryAfterSeconds } });
}

/** The fields that name a series. */
export interface SeriesInput<I extends ResearchInterval = Interval> {
  asset: string;
  interval: I;
  tradeMarket: string;
}

/** What the fields are called on a surface. */
export type SeriesFieldNames = Record<keyof SeriesInput, string>;

const defaultNames: SeriesFieldNames = { asset: 'asset', interval: 'interval', tradeMarket: 'tradeMarket' };

/**
 * The series the input names. Throws `invalid_input` for an unknown series, with the nearest known one, and `market_filling`
 * for one whose candles are on their way.
 */
export async function findSeries<I extends ResearchInterval>(
  input: SeriesInput<I>,
  { settings, storage, series: directory }: Deps,
  names: SeriesFieldNames = defaultNames,
): Promise<Series<I>> {
  const { asset: base, tradeMarket: quote, interval } = input;
  const market = settings.MARKET;
  const series = await directory.find({ market, base, quote, interval });
  if (series) return series;
  const stored = await storage.series.list(market);
  await refuseWhileFilling({ base, quote }, { storage, settings }, stored);
  const known = stored.filter((each) => each.interval === '1h');
  const sameBase = known.filter((each) => each.base === base);
  const [field, message] =
    sameBase.length === 0
      ? [names.asset, unknownAsset(names.asset, base, known)]
      : sameBase.some((each) => each.quote === quote)
        ? [names.interval, `"${base}/${quote}" has no closed ${interval} candle yet`]
        : [
            names.tradeMarket,
            `"${base}" is traded against ${list(sameBase.map((each) => each.quote))}, found "${quote}"`,
          ];
  const quotes =
    field === names.tradeMarket ? { allowed: sameBase.map((each) => each.quote).join(', ') } : {};
  throw fieldError(field, message, 'invalid_input', quotes);
}

/** The message for an asset that is not known, with the nearest one. */
export const unknownAsset = (name: string, base: string, known: readonly Series[]): string =>
  `${name === 'assets' ? 'asset' : name} "${base}" is not known here${nearestAsset(base, known)}`;

/** The question whether another asset was meant; empty where none is near. */
export const nearestAsset = (base: string, known: readonly Series[]): string =>
  didYouMean(nearestAssets(base, [...new Set(known.map((each) => each.base))]));

const list = (names: string[]) => names.map((name) => `"${name}"`).join(' or ');

/**
 * Whole seconds until the next candle of the series closes, for which an answer made of closed candles stays
 * true. Time stands still at the last candle of an imported market.
 */
export function secondsToNextClose(series: Series<ResearchInterval>, now = Date.now()): number {
  const closedAt = series.last + intervalMs(series.interval);
  const time = series.market === 'csv' ? closedAt : now;
  return Math.max(0, Math.ceil((closedAt + intervalMs(series.interval) - time) / 1000));
}

/** Which candles of a series a job reads. */
export const keyAndDigest = <I extends ResearchInterval>({
  market,
  base,
  quote,
  interval,
  digest,
}: Series<I>) => ({ key: { market, base, quote, interval }, digest });
