import { firstCandleFrom, type Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { intervalMs } from '../model/interval.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';

/** How many hours each window spans. */
const hours = { '1h': 1, '4h': 4, '24h': 24, '7d': 168, '30d': 720 } as const;

export type MoverWindow = keyof typeof hours;

export const moverWindows = Object.keys(hours) as MoverWindow[];

export const moverRanks = ['gain', 'loss', 'volume'] as const;

export interface MoversParams {
  window: MoverWindow;
  rankBy: (typeof moverRanks)[number];
  /** The least quote volume within the window for an asset to be named. */
  minQuoteVolume: number;
  limit: number;
}

/** What an asset did within the window. */
export interface Mover {
  asset: string;
  price: number;
  /** The price at the beginning of the window: the last close until then. Null where the asset is younger. */
  priceBefore: number | null;
  changePercent: number | null;
  high: number;
  low: number;
  /** The sum of volume x (high + low + close) / 3 over the candles of the window: what they traded for, nearly. */
  quoteVolume: number;
  /** Candles within the window: fewer than its hours where some are missing or the asset is younger. */
  candles: number;
}

export interface Movers {
  /** The window in ms, UTC; `to` is the close time of the newest candle of any asset. */
  from: number;
  to: number;
  /** Assets that have this candle: all others are `stale` and not named. */
  assets: number;
  stale: number;
  /** Assets below the liquidity floor. */
  belowFloor: number;
  /** Of those above it, how many are younger than the window: they are ranked by volume only. */
  skipped: number;
  /** How many assets there are to rank, beyond the limit too. */
  ranked: number;
  rows: Mover[];
}

/**
 * The assets that rose most, fell most, or traded most within a window that ends with the market's newest 1h candle.
 * Among gainers are only those that rose, among losers only those that fell. Throws `invalid_input` for candles other
 * than 1h, `not_enough_history` without any candle.
 */
export function movers({ pairs, interval, params }: MarketQuestion<MoversParams>): Movers {
  if (interval !== '1h')
    throw new AppError('invalid_input', `movers are read from 1h candles, not from ${interval}`, {
      details: { field: 'interval' },
    });
  const { window, rankBy, minQuoteVolume, limit } = params;
  const { asOf: to, present, stale } = marketNow(pairs, interval);
  const from = to - hours[window] * intervalMs('1h');
  const all = present.map((pair) => moveSince(pair, from));
  const liquid = all.filter(({ quoteVolume }) => quoteVolume >= minQuoteVolume);
  const ranked = rank(liquid, rankBy);
  return {
    from,
    to,
    assets: present.length,
    stale: stale.length,
    belowFloor: all.length - liquid.length,
    skipped: liquid.filter(({ priceBefore }) => priceBefore === null).length,
    ranked: ranked.length,
    rows: ranked.slice(0, limit),
  };
}

function moveSince({ asset, candles }: PairCandles, fromMs: number): Mover {
  const first = firstCandleFrom(candles.time, fromMs);
  const price = candles.close[candles.close.length - 1];
  const priceBefore = first > 0 ? candles.close[first - 1] : null;
  return {
    asset,
    price,
    priceBefore,
    changePercent: priceBefore === null ? null : (price / priceBefore - 1) * 100,
    ...tradedFrom(candles, first),
    candles: candles.time.length - first,
  };
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

function rank(movers: readonly Mover[], rankBy: MoversParams['rankBy']): Mover[] {
  const way = rankBy === 'loss' ? -1 : 1;
  const weight = (mover: Mover) =>
    rankBy === 'volume' ? mover.quoteVolume : (mover.changePercent ?? 0) * way;
  return movers
    .filter((mover) => rankBy === 'volume' || weight(mover) > 0)
    .sort((a, b) => weight(b) - weight(a) || (a.asset < b.asset ? -1 : 1));
}
