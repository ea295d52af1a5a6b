import { createRandom, seedFrom, type Random } from '../model/random.js';
import type { DemoAsset } from './demo-assets.js';

/** The turnover of an asset against BTC, as a share of that against USDT. */
export const btcTurnoverShare = 0.06;

/** One hour of one pair of the demo market. */
export interface DemoCandle {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** An asset of the demo market as it stands: its price and the candles of the current hour. */
export interface DemoAssetState {
  asset: DemoAsset;
  random: Random;
  firstMs: number;
  price: number;
  /** The powers of ten that round its prices to their decimals. */
  usdtScale: number;
  btcScale: number;
  usdt: DemoCandle;
  /** Null for an asset that is not traded against BTC. */
  btc: DemoCandle | null;
}

/** The asset at its starting price, with a random generator of its own. */
export const startAsset = (asset: DemoAsset, seed: string): DemoAssetState => ({
  asset,
  random: createRandom(seedFrom(`${seed} ${asset.base}`)),
  firstMs: Date.parse(asset.listed),
  price: asset.price,
  usdtScale: scaleOf(asset.decimals),
  btcScale: scaleOf(asset.btcDecimals),
  usdt: emptyCandle(),
  btc: asset.btcDecimals === undefined ? null : emptyCandle(),
});

const scaleOf = (decimals = 0) => Number(`1e${decimals}`);

const emptyCandle = (): DemoCandle => ({ open: 0, high: 0, low: 0, close: 0, volume: 0 });

/** Opens the candles of an hour at the last price. */
export function openCandles(
  { price, usdtScale, btcScale, usdt, btc }: DemoAssetState,
  btcPrice: number,
): void {
  start(usdt, round(price, usdtScale));
  if (btc) start(btc, round(price / btcPrice, btcScale));
}

function start(candle: DemoCandle, price: number): void {
  candle.open = price;
  candle.high = price;
  candle.low = price;
  candle.close = price;
}

/** Extends the candles of the current hour to the price. */
export function extendCandles(
  { price, usdtScale, btcScale, usdt, btc }: DemoAssetState,
  btcPrice: number,
): void {
  extend(usdt, round(price, usdtScale));
  if (btc) extend(btc, round(price / btcPrice, btcScale));
}

function extend(candle: DemoCandle, price: number): void {
  candle.high = Math.max(candle.high, price);
  candle.low = Math.min(candle.low, price);
  candle.close = price;
}

/** Sets the volume of the hour: it grows with the activity of the hour and with the range of the price. */
export function closeCandles(
  { asset, random, usdt, btc }: DemoAssetState,
  activity: number,
  heat: number,
): void {
  const range = (usdt.high - usdt.low) / usdt.close;
  const noise = 0.5 + random.unit();
  const turnover = asset.turnover * activity * noise * (0.4 + 60 * range + 0.3 * heat);
  usdt.volume = round(turnover / usdt.close, 1e5);
  if (btc) btc.volume = round((turnover * btcTurnoverShare) / usdt.close, 1e5);
}

/** `scale` is the power of ten of the wanted decimals. */
const round = (value: number, scale: number) => Math.round(value * scale) / scale;
