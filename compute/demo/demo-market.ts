import { createRandom, seedFrom, type Random } from '../model/random.js';
import {
  closeCandles,
  extendCandles,
  openCandles,
  startAsset,
  type DemoAssetState,
  type DemoCandle,
} from './demo-asset-state.js';
import { demoAssets } from './demo-assets.js';

/** A phase of the demo market. */
interface DemoRegime {
  /** Drift of Bitcoin in one hour, as a fraction. */
  drift: number;
  /** Standard deviation of Bitcoin's movement in one hour, as a fraction. */
  volatility: number;
  /** Mean duration in hours. */
  hours: number;
}

/** The regimes of the demo market: rise, fall, calm and storm. */
const demoRegimes: readonly DemoRegime[] = [
  { drift: 0.0003, volatility: 0.0042, hours: 500 },
  { drift: -0.0003, volatility: 0.0055, hours: 350 },
  { drift: 0, volatility: 0.003, hours: 400 },
  { drift: -0.0002, volatility: 0.01, hours: 60 },
];

/** Activity of each UTC hour of the day in tenths: Asia, Europe, America. */
const activityByHour = [
  9, 10, 10, 9, 8, 8, 8, 9, 10, 10, 10, 10, 11, 13, 15, 15, 14, 13, 12, 11, 10, 9, 8, 8,
];

/** How active the market is in the hour that opens at `openMs`, as a multiple of a usual hour. */
export function demoActivity(openMs: number): number {
  const date = new Date(openMs);
  const weekend = date.getUTCDay() % 6 === 0;
  return (activityByHour[date.getUTCHours()] / 10) * (weekend ? 0.7 : 1);
}

export const hourMs = 3_600_000;
export const demoStartMs = Date.UTC(2022, 0, 1);

export const stepsPerHour = 12;

export interface DemoPair {
  base: string;
  quote: 'USDT' | 'BTC';
  /** Open time of its first candle in ms. */
  firstMs: number;
  decimals: number;
}

/** The share of the distance to its starting price that an asset moves back in one hour. */
const pull = 0.0001;

/** About normally distributed with mean 0 and deviation 1: the centred sum of four bytes. */
function bell(random: Random): number {
  const bits = random.uint32();
  const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
  return (sum - 510) / 147.8;
}

/**
 * A synthetic market, hour by hour from 2022 on. It uses only sums, products, quotients and square roots, whose results
 * IEEE 754 fixes to the last bit, so every machine makes the same prices. Prices follow regimes (rise, fall, calm, storm)
 * with clustered volatility; every asset moves with Bitcoin by its beta, and on its own.
 */
export class DemoMarket {
  /** Open time of the hour that `advance` makes next. */
  nextMs = demoStartMs;
  readonly #random: Random;
  readonly #assets: DemoAssetState[];
  #regime = demoRegimes[2];
  /** Current volatility as a multiple of the regime's: large moves raise it. */
  #heat = 1;

  constructor(seed = 'tidemark demo 1') {
    this.#random = createRandom(seedFrom(seed));
    this.#assets = demoAssets.map((asset) => startAsset(asset, seed));
  }

  /** All pairs, those against USDT first. */
  get pairs(): DemoPair[] {
    const pair = (quote: DemoPair['quote']) => (state: DemoAssetState) => ({
      base: state.asset.base,
      quote,
      firstMs: state.firstMs,
      decimals: (quote === 'USDT' ? state.asset.decimals : state.asset.btcDecimals) ?? 0,
    });
    return [
      ...this.#assets.map(pair('USDT')),
      ...this.#assets.filter(({ btc }) => btc !== null).map(pair('BTC')),
    ];
  }

  /**
   * Makes the next hour and returns the candle of every pair, in the order of `pairs`. Calls `afterStep` with the unfinished
   * candles after each 5-minute step of the hour. The candles are reused by the next call.
   */
  advance(afterStep?: (candles: readonly DemoCandle[]) => void): DemoCandle[] {
    this.#changeRegime();
    const activity = demoActivity(this.nextMs);
    for (const state of this.#assets) openCandles(state, this.#assets[0].price);
    let moved = 0;
    for (let step = 0; step < stepsPerHour; step++) {
      moved += Math.abs(this.#step(activity));
      afterStep?.(this.#candles);
    }
    for (const state of this.#assets) closeCandles(state, activity, this.#heat);
    this.#heat = Math.min(4, Math.max(0.4, 0.87 * this.#heat + 0.1 * (moved / stepsPerHour) * 1.25 + 0.03));
    this.nextMs += hourMs;
    return this.#candles;
  }

  get #candles(): DemoCandle[] {
    return [
      ...this.#assets.map(({ usdt }) => usdt),
      ...this.#assets.map(({ btc }) => btc).filter((candle) => candle !== null),
    ];
  }

  /** Enters a random regime, on average once in the duration of the current one. */
  #changeRegime(): void {
    if (this.#random.unit() * this.#regime.hours >= 1) return;
    this.#regime = demoRegimes[this.#random.uint32() % demoRegimes.length];
  }

  /** Moves every price by one step; returns Bitcoin's move in standard deviations times heat. */
  #step(activity: number): number {
    const { drift, volatility } = this.#regime;
    const shock = bell(this.#random) * this.#heat;
    const scale = Math.sqrt(activity / stepsPerHour);
    const market = drift / stepsPerHour + shock * volatility * scale;
    for (const state of this.#assets) {
      const { asset, random } = state;
      const own = asset.volatility === 0 ? 0 : bell(random) * asset.volatility * this.#heat * scale;
      const home = (pull / stepsPerHour) * (asset.price / state.price - 1);
      state.price *= 1 + asset.beta * market + own + home;
      extendCandles(state, this.#assets[0].price);
    }
    return shock;
  }
}
