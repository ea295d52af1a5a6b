import { defineAnalysis } from '../analysis.js';
import { marketNow } from '../market/market-now.js';
import { trendStates } from '../model/core-line.js';
import { field, type Value, type Values } from '../model/field.js';
import { intervalMs } from '../model/interval.js';
import type { OnProgress } from '../model/progress.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import type { MarketQuestion } from '../task.js';
import { statesOfPairs } from './scan-states.js';

const recentFlipsParams = {
  withinCandles: field.integer('how many of the last candles of the market are looked at', {
    min: 1,
    max: 100,
    default: 3,
    unit: 'candles',
  }),
  toState: field.nullable(field.choice('only changes to this state; null: to any', trendStates), {
    default: null,
  }),
  limit: field.integer('most rows', { min: 1, max: 100, default: 30 }),
};

type RecentFlipsParams = Values<typeof recentFlipsParams>;

const recentFlip = field.object('the last change of state of an asset', {
  asset: field.text('asset symbol'),
  from: field.choice('state before', trendStates),
  to: field.choice('state after, which still holds', trendStates),
  time: field.time('open time of the candle on whose close the state changed'),
  candlesAgo: field.count('candles since; 0 where the last candle changed the state', { unit: 'candles' }),
  flipPrice: field.number('close of that candle', { unit: 'quote' }),
  price: field.number('last close', { unit: 'quote' }),
  changePercent: field.number('change of the price since', { unit: 'percent' }),
});

const recentFlipsOutput = field.object('the recent changes of state of a market', {
  asOf: field.time('close time of the newest candle of any asset'),
  assets: field.count('assets that have the newest candle'),
  stale: field.count('assets without the newest candle, which are left out'),
  found: field.count('assets whose state changed, including those beyond the limit'),
  rows: field.list('the assets whose state changed, the latest change first', recentFlip),
});

export type RecentFlips = Value<typeof recentFlipsOutput>;

export const recentFlips = defineAnalysis({
  name: 'recent-flips',
  title: 'Recent flips',
  summary:
    'The assets of a market whose trend state changed within the last candles, the latest first, with the price move since.',
  needs: 'market',
  params: recentFlipsParams,
  output: recentFlipsOutput,
  scope: 'public',
  tool: {
    name: 'scan_recent_flips',
    headline: ({ interval, found, rows }) =>
      `${found} assets changed state recently on ${interval}${rows.length > 0 ? `; the latest: ${rows[0].asset} to ${rows[0].to}` : ''}.`,
  },
  cost: 5,
  queue: 'scan',
  phases: ['scan'],
  run: (question, scratch, onProgress) => findRecentFlips(question, scratch, onProgress),
});

/**
 * The last flip of each asset whose candle is among the last `withinCandles` of the market. Of assets that flipped on the
 * same candle, the one whose price moved further since is first. Throws `not_enough_history` without any candle.
 */
function findRecentFlips(
  { pairs, interval, params }: MarketQuestion<RecentFlipsParams>,
  scratch?: ScratchBuffers,
  onProgress?: OnProgress,
): RecentFlips {
  const { withinCandles, toState, limit } = params;
  const { openMs, asOf, present, stale } = marketNow(pairs, interval);
  const fromMs = openMs - (withinCandles - 1) * intervalMs(interval);
  const rows = statesOfPairs(present, interval, scratch, onProgress)
    .flatMap(({ asset, price, lastFlip }) => {
      if (lastFlip === null || lastFlip.time < fromMs) return [];
      const { price: flipPrice, change: changePercent, ...flip } = lastFlip;
      return [{ asset, ...flip, flipPrice, price: price!, changePercent }];
    })
    .filter(({ to }) => toState === null || to === toState)
    .sort(
      (a, b) =>
        b.time - a.time ||
        Math.abs(b.changePercent) - Math.abs(a.changePercent) ||
        (a.asset < b.asset ? -1 : 1),
    );
  return {
    asOf,
    assets: present.length,
    stale: stale.length,
    found: rows.length,
    rows: rows.slice(0, limit),
  };
}
