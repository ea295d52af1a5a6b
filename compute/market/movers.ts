import { defineAnalysis } from '../analysis.js';
import { firstCandleFrom, type Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { field, type Value, type Values } from '../model/field.js';
import { formatNumber } from '../model/format-number.js';
import { intervalMs } from '../model/interval.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { maxCloseAgeMs } from '../model/last-day.js';
import { marketNow } from './market-now.js';

/** How many hours each window spans. */
const hours = { '1h': 1, '4h': 4, '24h': 24, '7d': 168, '30d': 720 } as const;

export type MoverWindow = keyof typeof hours;

export const moverWindows = Object.keys(hours) as MoverWindow[];

const moverRanks = ['gain', 'loss', 'volume'] as const;

const moversParams = {
  window: field.choice('length of the window, which ends now', moverWindows, { default: '24h' }),
  rankBy: field.choice('largest gain, largest loss or largest quote volume', moverRanks, { default: 'gain' }),
  minQuoteVolume: field.number('least quote volume within the window', { min: 0, default: 0, unit: 'quote' }),
  limit: field.integer('most rows', { min: 1, max: 50, default: 10 }),
};

export type MoversParams = Values<typeof moversParams>;

const mover = field.object('an asset within the window', {
  asset: field.text('asset symbol'),
  price: field.number('last close', { unit: 'quote' }),
  priceBefore: field.nullable(
    field.number(
      'last close before the window; null where the asset is younger, or that close is older than a twentieth of the window',
      { unit: 'quote' },
    ),
  ),
  changePercent: field.nullable(field.number('change over the window', { unit: 'percent' })),
  reason: field.nullable(field.text('why there is no change')),
  high: field.number('highest price within the window', { unit: 'quote' }),
  low: field.number('lowest price within the window', { unit: 'quote' }),
  quoteVolume: field.number('sum of volume x (high + low + close) / 3 over the window', { unit: 'quote' }),
  candles: field.count('1h candles within the window'),
});

export type Mover = Value<typeof mover>;

const moversOutput = field.object('the largest movers', {
  from: field.time('start of the window'),
  to: field.time('end of the window: close time of the newest candle of any asset'),
  assets: field.count('assets that have the newest candle'),
  stale: field.count('assets without the newest candle, which are left out'),
  belowFloor: field.count('assets with less quote volume than minQuoteVolume'),
  skipped: field.count(
    'assets above the floor without a price at the start of the window; only volume ranks them',
  ),
  rose: field.count('assets above the floor that rose'),
  fell: field.count('assets above the floor that fell'),
  ranked: field.count('assets that could be ranked, beyond the limit too'),
  rows: field.list('the assets in order of rank', mover),
});

export type Movers = Value<typeof moversOutput>;

export const movers = defineAnalysis({
  name: 'movers',
  title: 'Top movers',
  summary:
    'The largest gainers, losers or volume leaders of a market over one window, above a liquidity floor.',
  needs: 'market',
  interval: '1h',
  params: moversParams,
  output: moversOutput,
  scope: 'public',
  tool: {
    name: 'get_top_movers',
    headline: ({ rows, ranked, rose, fell }) =>
      `${ranked} assets ranked, ${rose} rose and ${fell} fell${rows.length > 0 ? `; first is ${rows[0].asset} with ${rows[0].changePercent === null ? 'an unknown change' : `${formatNumber(rows[0].changePercent, 3)} %`}` : ''}.`,
  },
  cost: 3,
  run: (question) => rankMovers(question),
});

/**
 * The assets that rose most, fell most, or traded most within a window that ends with the market's newest 1h candle.
 * Among gainers are only those that rose, among losers only those that fell; where there are none, the others
 * in that order. Throws `invalid_input` for candles other
 * than 1h, `not_enough_history` without any candle.
 */
function rankMovers({ pairs, interval, params }: MarketQuestion<MoversParams>): Movers {
  if (interval !== '1h')
    throw new AppError('invalid_input', `movers are read from 1h candles, not from ${interval}`, {
      details: { field: 'interval' },
    });
  const { window, rankBy, minQuoteVolume, limit } = params;
  const { asOf: to, present, stale } = marketNow(pairs, interval);
  const from = to - hours[window] * intervalMs('1h');
  const all = present.map((pair) => moveSince(pair, from, to));
  const liquid = all.filter(({ quoteVolume }) => quoteVolume >= minQuoteVolume);
  const ranked = rank(liquid, rankBy);
  return {
    from,
    to,
    assets: present.length,
    stale: stale.length,
    belowFloor: all.length - liquid.length,
    skipped: liquid.filter(({ priceBefore }) => priceBefore === null).length,
    rose: liquid.filter(({ changePercent }) => (changePercent ?? 0) > 0).length,
    fell: liquid.filter(({ changePercent }) => (changePercent ?? 0) < 0).length,
    ranked: ranked.length,
    rows: ranked.slice(0, limit),
  };
}

function moveSince({ asset, candles }: PairCandles, fromMs: number, toMs: number): Mover {
  const first = firstCandleFrom(candles.time, fromMs);
  const price = candles.close[candles.close.length - 1];
  const reason = whyNoChange(candles.time, first, fromMs, toMs);
  const priceBefore = reason === null ? candles.close[first - 1] : null;
  return {
    asset,
    price,
    priceBefore,
    changePercent: priceBefore === null ? null : (price / priceBefore - 1) * 100,
    reason,
    ...tradedFrom(candles, first),
    candles: candles.time.length - first,
  };
}

/** Why the candle before index `first` does not tell the price at the start of the window; null where it does. */
function whyNoChange(time: Float64Array, first: number, fromMs: number, toMs: number): string | null {
  if (first === 0) return 'the asset is younger than the window';
  const waitMs = fromMs - (time[first - 1] + intervalMs('1h'));
  if (waitMs <= maxCloseAgeMs(toMs - fromMs)) return null;
  return `candles are missing: the last close before the window is ${waitMs / intervalMs('1h')} hours older than its start`;
}

function tradedFrom({ high, low, close, volume }: Candles, first: number) {
  const traded = { high: -Infinity, low: Infinity, quoteVolume: 0 };
  for (let i = first; i < close.length; i++) {
    traded.high = Math.max(traded.high, high[i]);
    traded.low = Math.min(traded.low, low[i]);
    traded.quoteVolume += (volume[i] * (high[i] + low[i] + close[i])) / 3;
  }
  return traded;
}

function rank(moved: readonly Mover[], rankBy: MoversParams['rankBy']): Mover[] {
  const way = rankBy === 'loss' ? -1 : 1;
  const weight = (mover: Mover) =>
    rankBy === 'volume' ? mover.quoteVolume : (mover.changePercent ?? 0) * way;
  const moving = moved.filter((mover) => rankBy === 'volume' || weight(mover) > 0);
  const others = moved.filter((mover) => weight(mover) < 0);
  return (moving.length > 0 ? moving : others).toSorted(
    (a, b) => weight(b) - weight(a) || (a.asset < b.asset ? -1 : 1),
  );
}
