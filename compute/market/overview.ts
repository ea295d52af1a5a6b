import { computeCoreLine } from '../core-line/states.js';
import { computeIndicator } from '../model/indicator.js';
import { rsi } from '../indicators/rsi.js';
import { median } from '../metrics/mean-interval.js';
import { stateName, type TrendState } from '../model/core-line.js';
import type { DayOfWeek, MarketSession, PsarReading } from '../model/risk-assessment.js';
import { ScratchBuffers } from '../model/scratch-buffers.js';
import { dayOfWeekAt, marketSessionAt } from '../risk/calendar.js';
import { readPsar } from '../risk/psar.js';
import type { MarketQuestion, PairCandles } from '../task.js';
import { marketNow } from './market-now.js';

/** Over how many candles the strength of an asset is taken. */
const strengthCandles = 20;

/** How many assets are named at either end. */
const named = 5;

const leadingAsset = 'BTC';

/** Where one asset stands after the newest candle; null where its history is too short. */
export interface AssetStanding {
  asset: string;
  price: number;
  /** Against the close of the candle before. */
  changePercent: number | null;
  /** Against the close 20 candles before: by this assets are called strong and weak. */
  strengthPercent: number | null;
  state: TrendState | null;
  /** ADX(14) and RSI(14). */
  adx: number | null;
  rsi: number | null;
}

/** A middle, and how many assets it was taken of. */
interface Median {
  median: number | null;
  assets: number;
}

/** A market after its newest candle. */
export interface MarketOverview {
  /** Close time of the newest candle of any asset, in ms, UTC. */
  asOf: number;
  /** Assets that have this candle: all others are `stale` and do not count. */
  assets: number;
  stale: number;
  /** Assets per trend state; `none` have fewer than 61 candles. */
  states: Record<TrendState | 'none', number>;
  /** Assets that closed above, below and at their candle before. */
  advancers: number;
  decliners: number;
  unchanged: number;
  /** PSAR(0.02, 0.2) of BTC on this interval; null where BTC is stale, has fewer than two candles or is not traded. */
  btc: { psar: PsarReading; marketTrend: 'bullish' | 'bearish' } | null;
  adx: Median;
  rsi: Median;
  /** Session and day at `asOf`. */
  marketSession: MarketSession;
  dayOfWeek: DayOfWeek;
  /** At most five each, the most extreme first; none is in both. */
  strongest: AssetStanding[];
  weakest: AssetStanding[];
}

/** The market at a glance. Throws `not_enough_history` without any candle. */
export function marketOverview(
  { pairs, interval }: MarketQuestion,
  scratch = new ScratchBuffers(),
): MarketOverview {
  const { asOf, present, stale } = marketNow(pairs, interval);
  const standings = present.map((pair) => scratch.within(() => standingOf(pair, scratch)));
  const moved = (way: number) =>
    standings.filter(({ changePercent }) => changePercent !== null && Math.sign(changePercent) === way)
      .length;
  return {
    asOf,
    assets: present.length,
    stale: stale.length,
    states: countStates(standings),
    advancers: moved(1),
    decliners: moved(-1),
    unchanged: moved(0),
    btc: readLeading(present, scratch),
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
  };
}

function countStates(standings: readonly AssetStanding[]): MarketOverview['states'] {
  const states = { accumulate: 0, wait: 0, distribute: 0, none: 0 };
  for (const { state } of standings) states[state ?? 'none']++;
  return states;
}

function readLeading(present: readonly PairCandles[], scratch: ScratchBuffers): MarketOverview['btc'] {
  const leading = present.find(({ asset }) => asset === leadingAsset);
  if (!leading || leading.candles.time.length < 2) return null;
  const psar = scratch.within(() => readPsar(leading.candles, scratch));
  return { psar, marketTrend: psar.value === 'up' ? 'bullish' : 'bearish' };
}

function medianOf(values: readonly (number | null)[]): Median {
  const known = values.filter((value) => value !== null);
  return { median: median(known), assets: known.length };
}

/** The upper and the lower half by strength, cut to what is named. */
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
