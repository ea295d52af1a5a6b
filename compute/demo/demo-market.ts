import { createRandom, seedFrom, type Random } from '../model/random.js';
import { demoAssets, type DemoAsset } from './demo-assets.js';

/**
 * A synthetic market. It is made of sums, products, quotients and square roots alone, whose results the standard
 * for floating-point numbers fixes to the last bit: so it is the same on every machine, and whatever hour it is
 * asked for. Prices follow regimes (rise, fall, calm, storm) with clustered volatility; every asset moves with
 * Bitcoin by its beta, and on its own.
 */

export const hourMs = 3_600_000;
export const demoStartMs = Date.UTC(2022, 0, 1);

export const stepsPerHour = 12;

/** One hour of one pair. */
export interface DemoCandle {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

export interface DemoPair {
  base: string;
  quote: 'USDT' | 'BTC';
  /** Open time of its first candle in ms. */
  firstMs: number;
  /** Decimals of its prices. */
  decimals: number;
}

interface Regime {
  /** Drift of Bitcoin in one hour, as a fraction. */
  drift: number;
  /** Standard deviation of Bitcoin in one hour, as a fraction. */
  volatility: number;
  /** Mean duration in hours. */
  hours: number;
}

const regimes: readonly Regime[] = [
  { drift: 0.0003, volatility: 0.0042, hours: 500 },
  { drift: -0.0003, volatility: 0.0055, hours: 350 },
  { drift: 0, volatility: 0.003, hours: 400 },
  { drift: -0.0002, volatility: 0.01, hours: 60 },
];

/** How busy each hour of the day is, UTC: Asia, Europe, America. */
const busy = [9, 10, 10, 9, 8, 8, 8, 9, 10, 10, 10, 10, 11, 13, 15, 15, 14, 13, 12, 11, 10, 9, 8, 8];

/** Share of the way back to its starting price that an asset is drawn in one hour. */
const pull = 0.0001;

interface AssetState {
  asset: DemoAsset;
  random: Random;
  firstMs: number;
  price: number;
  usdtScale: number;
  btcScale: number;
  usdt: DemoCandle;
  btc: DemoCandle | null;
}

/** About normally distributed with mean 0 and deviation 1: the sum of four bytes, centred. */
function bell(random: Random): number {
  const bits = random.uint32();
  const sum = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24);
  return (sum - 510) / 147.8;
}

/** `scale` is the power of ten of the wanted decimals. */
const round = (value: number, scale: number) => Math.round(value * scale) / scale;

const scaleOf = (decimals = 0) => Number(`1e${decimals}`);

const emptyCandle = (): DemoCandle => ({ open: 0, high: 0, low: 0, close: 0, volume: 0 });

/** The demo market, one hour after the other from 2022 on. */
export class DemoMarket {
  /** Open time of the hour that `advance` makes next. */
  nextMs = demoStartMs;
  readonly #random: Random;
  readonly #assets: AssetState[];
  #regime = regimes[2];
  /** Volatility now as a multiple of the regime's: large moves are followed by large moves. */
  #heat = 1;

  constructor(seed = 'tidemark demo 1') {
    this.#random = createRandom(seedFrom(seed));
    this.#assets = demoAssets.map((asset) => ({
      asset,
      random: createRandom(seedFrom(`${seed} ${asset.base}`)),
      firstMs: Date.parse(asset.listed),
      price: asset.price,
      usdtScale: scaleOf(asset.decimals),
      btcScale: scaleOf(asset.btcDecimals),
      usdt: emptyCandle(),
      btc: asset.btcDecimals === undefined ? null : emptyCandle(),
    }));
  }

  /** Every pair there is, those against USDT first. */
  get pairs(): DemoPair[] {
    const pair = (quote: DemoPair['quote']) => (state: AssetState) => ({
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
   * Makes the next hour and hands out the candle of every pair, in the order of `pairs`. `afterStep` is called with the
   * candles as they stand after each of the hour's steps of 5 minutes.
   */
  advance(afterStep?: (candles: readonly DemoCandle[]) => void): DemoCandle[] {
    this.#enterRegime();
    const date = new Date(this.nextMs);
    const weekend = date.getUTCDay() % 6 === 0;
    const activity = (busy[date.getUTCHours()] / 10) * (weekend ? 0.7 : 1);
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

  #enterRegime(): void {
    if (this.#random.unit() * this.#regime.hours >= 1) return;
    this.#regime = regimes[this.#random.uint32() % regimes.length];
  }

  /** Moves every price by a twelfth of an hour; returns Bitcoin's move in deviations times heat. */
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
      reach(state.usdt, round(state.price, state.usdtScale));
      if (state.btc) reach(state.btc, round(state.price / this.#assets[0].price, state.btcScale));
    }
    return shock;
  }
}

/** Starts the candles of an hour where the last ones closed. */
function openCandles({ price, usdtScale, btcScale, usdt, btc }: AssetState, btcPrice: number): void {
  const start = (candle: DemoCandle, at: number) =>
    Object.assign(candle, { open: at, high: at, low: at, close: at });
  start(usdt, round(price, usdtScale));
  if (btc) start(btc, round(price / btcPrice, btcScale));
}

function reach(candle: DemoCandle, price: number): void {
  candle.high = Math.max(candle.high, price);
  candle.low = Math.min(candle.low, price);
  candle.close = price;
}

/** Volume goes with the hour of the day and with how far price went. */
function closeCandles({ asset, random, usdt, btc }: AssetState, activity: number, heat: number): void {
  const reached = (usdt.high - usdt.low) / usdt.close;
  const noise = 0.5 + random.unit();
  const turnover = asset.turnover * activity * noise * (0.4 + 60 * reached + 0.3 * heat);
  usdt.volume = round(turnover / usdt.close, 1e5);
  if (btc) btc.volume = round((turnover * 0.06) / usdt.close, 1e5);
}
