import { defineAnalysis } from '../analysis.js';
import { whyNoState } from '../core-line/current-state.js';
import { computeCoreLine } from '../core-line/states.js';
import { computeIndicator } from '../model/indicator.js';
import { rsi } from '../indicators/rsi.js';
import { median } from '../metrics/quantile.js';
import { leadingAsset } from '../model/asset-fields.js';
import { stateName, trendStates } from '../model/core-line.js';
import { field, type Value } from '../model/field.js';
import { nullReason, nullReasonOf, reasonsOf } from '../model/null-reason.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { dayOfWeekAt, marketSessionAt } from '../model/calendar.js';
import { readPsar } from '../risk/score.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { differenceWords, pictureField } from './picture.js';
import { readPicture } from './technical-summary.js';
import { trendCandles } from './trend.js';
import type { Interval } from '../model/interval.js';
import { marketNow } from './market-now.js';

/** The candles over which the strength of an asset is measured. */
const strengthCandles = 20;

/** How many of the strongest and of the weakest assets are named. */
const named = 5;

const assetStanding = field.object('an asset after the newest candle; null where its history is too short', {
  asset: field.text('asset symbol'),
  price: field.number('last close', { unit: 'quote' }),
  changePercent: field.nullable(field.number('change since the close before', { unit: 'percent' })),
  strengthPercent: field.nullable(
    field.number('change since the close 20 candles before, by which assets are ranked', { unit: 'percent' }),
  ),
  state: field.nullable(field.choice('trend state', trendStates)),
  adx: field.nullable(field.number('ADX(14)')),
  rsi: field.nullable(field.number('RSI(14)')),
  reason: nullReason,
});

export type AssetStanding = Value<typeof assetStanding>;

const medianField = (name: string) =>
  field.object(`median ${name} of the market`, {
    median: field.nullable(field.number('median; null without assets')),
    reason: nullReason,
    assets: field.count(`assets with an ${name}`),
  });

const leadingReading = field.object('the trend of BTC by PSAR(0.02, 0.2)', {
  picture: field.nullable(pictureField),
  psar: field.object('the parabolic stop', {
    value: field.choice('side of the stop on which the candle closed; a close on it is down', ['up', 'down']),
    psarValue: field.text('the stop as a decimal, in quote currency'),
  }),
  marketTrend: field.choice('bullish where the close is above the stop', ['bullish', 'bearish']),
});

const overviewOutput = field.object('a market after its newest candle', {
  asOf: field.time('close time of the newest candle of any asset'),
  assets: field.count('assets that have the newest candle'),
  stale: field.count('assets without the newest candle, which are left out'),
  states: field.object('assets by trend state', {
    accumulate: field.count('assets in accumulate'),
    wait: field.count('assets in wait'),
    distribute: field.count('assets in distribute'),
    none: field.count('assets with fewer than 61 candles, which have no state'),
  }),
  advancers: field.count('assets that closed above their candle before'),
  decliners: field.count('assets that closed below their candle before'),
  unchanged: field.count('assets that closed at the close of their candle before'),
  btc: field.nullable(leadingReading),
  btcReason: nullReasonOf('btc'),
  adx: medianField('ADX(14)'),
  rsi: medianField('RSI(14)'),
  marketSession: field.choice(
    'session now (in an imported market at asOf): Europe from 8, US from 14, Asian from 22 on, UTC',
    ['Asian', 'Europe', 'US'],
  ),
  dayOfWeek: field.choice('day now, UTC', ['Weekday', 'Weekend']),
  strongest: field.list('at most five, the strongest first', assetStanding),
  weakest: field.list('at most five others, the weakest first', assetStanding),
});

export type MarketOverview = Value<typeof overviewOutput>;

export const marketOverview = defineAnalysis({
  name: 'market-overview',
  title: 'Market overview',
  summary:
    'A market now: assets per trend state, advancers and decliners, the trend of BTC, median ADX and RSI, session, strongest and weakest five.',
  needs: 'market',
  params: {},
  output: overviewOutput,
  scope: 'public',
  tool: {
    name: 'get_market_overview',
    headline: ({ interval, assets, states, advancers, decliners, btc }) =>
      `${assets} assets on ${interval}: ${states.accumulate} accumulate, ${states.wait} wait, ${states.distribute} distribute; ${advancers} up, ${decliners} down; BTC ${btc ? `${btc.marketTrend} by PSAR` : 'unknown'}.${differenceWords(btc?.picture ?? null)}`,
  },
  cost: 3,
  run: (question, scratch) => readMarketOverview(question, scratch),
});

/**
 * The states, moves and extremes of a market after its newest candle. `btc` is null where BTC is not traded, has fewer
 * than two candles or lacks the newest one. Throws `not_enough_history` without any candle.
 */
function readMarketOverview(
  { pairs, interval }: MarketQuestion,
  scratch = new ScratchBuffers(),
): MarketOverview {
  const { asOf, present, stale } = marketNow(pairs, interval);
  const standings = present.map((pair) => scratch.within(() => standingOf(pair, scratch)));
  const moved = (way: number) =>
    standings.filter(({ changePercent }) => changePercent !== null && Math.sign(changePercent) === way)
      .length;
  const btc = readLeading(present, interval, scratch);
  return {
    asOf,
    assets: present.length,
    stale: stale.length,
    states: countStates(standings),
    advancers: moved(1),
    decliners: moved(-1),
    unchanged: moved(0),
    btc,
    btcReason: btc ? null : whyNoLeading(pairs),
    adx: medianOf(standings.map((each) => each.adx)),
    rsi: medianOf(standings.map((each) => each.rsi)),
    marketSession: marketSessionAt(asOf),
    dayOfWeek: dayOfWeekAt(asOf),
    ...ends(standings),
  };
}

function standingOf({ asset, candles }: PairCandles, scratch: ScratchBuffers): AssetStanding {
  const { close } = candles;
  const last = close.length - 1;
  const { adx, state } = computeCoreLine(candles, scratch);
  const strength = computeIndicator(rsi, candles, {}, scratch).rsi;
  const change = (candlesBefore: number) =>
    last < candlesBefore ? null : (close[last] / close[last - candlesBefore] - 1) * 100;
  const known = (value: number) => (Number.isNaN(value) ? null : value);
  return {
    asset,
    price: close[last],
    changePercent: change(1),
    strengthPercent: change(strengthCandles),
    state: stateName(state[last]),
    adx: known(adx[last]),
    rsi: known(strength[last]),
    reason: whyNull(last + 1),
  };
}

/** Why figures of an asset with so many candles are null. */
const whyNull = (found: number): string | null =>
  reasonsOf(
    found < 2 && 'there is no candle before',
    found <= strengthCandles && `the strength needs ${strengthCandles + 1} candles, found ${found}`,
    whyNoState(found),
  );

function countStates(standings: readonly AssetStanding[]): MarketOverview['states'] {
  const states = { accumulate: 0, wait: 0, distribute: 0, none: 0 };
  for (const { state } of standings) states[state ?? 'none']++;
  return states;
}

function readLeading(
  present: readonly PairCandles[],
  interval: Interval,
  scratch: ScratchBuffers,
): MarketOverview['btc'] {
  const leading = present.find(({ asset }) => asset === leadingAsset);
  if (!leading || leading.candles.time.length < 2) return null;
  const psar = scratch.within(() => readPsar(leading.candles, scratch));
  const { candles } = leading;
  const picture =
    candles.time.length < trendCandles
      ? null
      : scratch.within(() => readPicture({ candles, interval, params: {} }, scratch));
  return { picture, psar, marketTrend: psar.value === 'up' ? 'bullish' : 'bearish' };
}

/** Why nothing is said of BTC. */
function whyNoLeading(pairs: readonly PairCandles[]): string {
  const leading = pairs.find(({ asset }) => asset === leadingAsset);
  if (!leading) return 'BTC is not traded here';
  return leading.candles.time.length < 2 ? 'BTC has fewer than two candles' : 'BTC lacks the newest candle';
}

function medianOf(values: readonly (number | null)[]): MarketOverview['adx'] {
  const known = values.filter((value) => value !== null);
  const reason = known.length === 0 ? 'no asset has the history' : null;
  return { median: median(known), assets: known.length, reason };
}

/** The strongest and the weakest assets; none is in both lists. */
function ends(standings: readonly AssetStanding[]): Pick<MarketOverview, 'strongest' | 'weakest'> {
  const ranked = standings
    .filter(({ strengthPercent }) => strengthPercent !== null)
    .sort((a, b) => b.strengthPercent! - a.strengthPercent! || (a.asset < b.asset ? -1 : 1));
  const half = Math.ceil(ranked.length / 2);
  return {
    strongest: ranked.slice(0, half).slice(0, named),
    weakest: ranked.slice(half).reverse().slice(0, named),
  };
}
