import { defineAnalysis } from '../analysis.js';
import { correlationInterval, correlationIntervalFields } from '../metrics/correlation-interval.js';
import { candleReturns } from '../metrics/returns.js';
import { assetField } from '../model/asset-fields.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { candlesPerYear, intervalMs } from '../model/interval.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { countGaps, alignCloses, type AlignedCloses } from './align.js';
import { betaFields, betaOf } from './beta.js';
import { leadLag, leadLagField } from './lead-lag.js';
import { marketNow } from './market-now.js';
import { pricesTogether, pricesTogetherFields } from './prices-together.js';
import { rollingCandles, rollingCorrelation, rollingCorrelationField } from './rolling-correlation.js';

/** The least number of returns for a relationship. */
const fewestReturns = 30;

const pairRelationshipParams = {
  asset: assetField,
  secondAsset: { ...assetField, text: 'symbol of the asset to compare with', example: 'ETH' },
  window: field.integer(
    'length of the window: the last common candles, each with its return since the one before',
    {
      min: 30,
      max: 730,
      default: 180,
      unit: 'candles',
    },
  ),
};

export type PairRelationshipParams = Values<typeof pairRelationshipParams>;

const pairRelationshipOutput = field.object('two assets in depth', {
  asset: field.text('asset symbol'),
  secondAsset: field.text('symbol of the asset compared with'),
  count: field.count('returns of each asset; fewer than the window where the common history is shorter'),
  gaps: field.count('returns that span more than one candle because candles are missing'),
  from: field.time('open time of the candle that the first return starts from'),
  to: field.time('close time of the last common candle'),
  staleAssets: field.list(
    "the asset whose last candle is older than the other's: the window ends with it",
    field.text('asset symbol'),
  ),
  correlation: field.object('correlation of the returns in the window', correlationIntervalFields),
  rolling: rollingCorrelationField,
  beta: field.object('regression of the returns of the asset on those of the second', betaFields),
  leadLag: leadLagField,
  ...pricesTogetherFields,
});

/** Two assets in depth. */
export type PairRelationship = Value<typeof pairRelationshipOutput>;

export const pairRelationship = defineAnalysis({
  name: 'pair-relationship',
  title: 'Pair relationship',
  summary:
    'Two assets in depth: rolling correlation, beta, alpha, R squared, lead and lag, z-score of the price ratio, half-life, cointegration.',
  needs: 'assets',
  params: pairRelationshipParams,
  assets: ({ asset, secondAsset }) => [...new Set([asset, secondAsset])],
  output: pairRelationshipOutput,
  scope: 'public',
  tool: {
    name: 'get_pair_relationship',
    headline: ({ asset, secondAsset, interval, correlation, beta, cointegration }) =>
      `${asset} against ${secondAsset} on ${interval}: correlation ${orUnknown(correlation.correlation)}, beta ${orUnknown(beta.beta)}, cointegration p ${orUnknown(cointegration?.p ?? null)}.`,
  },
  cost: 2,
  run: (question) => relatePair(question),
});

/**
 * How an asset relates to a second, on the candles both have: simple returns, and logarithms of prices for the spread.
 * In `leadLag`, `first` is the asset. `spread` is null where a price does not vary, `cointegration` where it cannot be
 * tested. Throws `invalid_input` unless the assets differ and have candles, `not_enough_history` with fewer than 30
 * common returns.
 */
function relatePair(question: MarketQuestion<PairRelationshipParams>): PairRelationship {
  const { interval, params } = question;
  const { asset, secondAsset, window } = params;
  const pairs = twoPairs(question);
  const reach = window + rollingCandles;
  const { time, closes } = commonCloses(pairs, reach, fewestReturns + 1);
  const count = Math.min(window, time.length - 1);
  const first = time.length - 1 - count;
  const [all, allSecond] = closes.map((close) => candleReturns(close));
  const [returns, secondReturns] = [all.subarray(first), allSecond.subarray(first)];
  const step = intervalMs(interval);
  return {
    asset,
    secondAsset,
    count,
    gaps: countGaps(time.subarray(first), step),
    from: time[first],
    to: time[time.length - 1] + step,
    staleAssets: marketNow(pairs, interval).stale.map((pair) => pair.asset),
    correlation: correlationInterval(returns, secondReturns),
    rolling: rollingCorrelation(time.subarray(1), all, allSecond, count),
    beta: betaOf(returns, secondReturns, candlesPerYear(interval)),
    leadLag: leadLag(returns, secondReturns),
    ...pricesTogether(closes[0].subarray(first), closes[1].subarray(first)),
  };
}

function twoPairs({ pairs, params: { asset, secondAsset } }: MarketQuestion<PairRelationshipParams>) {
  if (asset === secondAsset)
    throw new AppError('invalid_input', `expected another asset than "${asset}"`, {
      details: { field: 'secondAsset' },
    });
  return [pairOf(asset, pairs, 'asset'), pairOf(secondAsset, pairs, 'secondAsset')];
}

const orUnknown = (value: number | null): string => (value === null ? 'unknown' : formatNumber(value, 3));

/** The candles of a chosen asset. Throws `invalid_input` with the name of the parameter where there are none. */
export function pairOf(asset: string, pairs: readonly PairCandles[], param: string): PairCandles {
  const found = pairs.find((pair) => pair.asset === asset);
  if (found) return found;
  throw new AppError('invalid_input', `there are no candles of "${asset}"`, {
    details: { field: param, asset },
  });
}

/**
 * The last `most` common closes of the pairs. Throws `not_enough_history` with fewer than `needed`; the message names the
 * pair with the fewest candles.
 */
export function commonCloses(pairs: readonly PairCandles[], most: number, needed: number): AlignedCloses {
  const aligned = alignCloses(
    pairs.map(({ candles }) => candles),
    most,
  );
  const found = aligned.time.length;
  if (found >= needed) return aligned;
  const [{ asset }] = [...pairs].sort((a, b) => a.candles.time.length - b.candles.time.length);
  const assets = pairs.map((pair) => pair.asset).join(', ');
  const message = `expected ${needed} common candles of ${assets}, found ${found}; "${asset}" has the fewest candles`;
  throw new AppError('not_enough_history', message, { details: { needed, found, asset } });
}
