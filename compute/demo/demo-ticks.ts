import type { PriceTick } from '../model/price.js';
import { DemoMarket, hourMs, stepsPerHour } from './demo-market.js';

/** The prices of every pair at the steps of one hour: the open first, the close last. */
type HourPath = number[][];

const hoursKept = 26;
const dayMs = 24 * hourMs;
const stepMs = hourMs / stepsPerHour;

/** Live prices of the demo market: a function of time that moves linearly between the steps of the hour's candle. */
export class DemoTicks {
  readonly #market = new DemoMarket();
  readonly #pairs = this.#market.pairs;
  /** The last `hoursKept` hours by open time. */
  readonly #paths = new Map<number, HourPath>();

  /** The price of every pair at a time not before the last call's. The first call makes all hours since 2022. */
  at(nowMs: number): PriceTick[] {
    while (this.#market.nextMs <= nowMs) this.#advance(nowMs);
    return this.#pairs.map(({ base, quote }, pair) => {
      const price = this.#price(pair, nowMs)!;
      const before = this.#price(pair, nowMs - dayMs);
      const change24hPercent = before === null ? null : (price / before - 1) * 100;
      return { base, quote, price, change24hPercent, time: nowMs };
    });
  }

  #advance(nowMs: number): void {
    const openMs = this.#market.nextMs;
    if (openMs < nowMs - hoursKept * hourMs) return void this.#market.advance();
    const path: HourPath = this.#pairs.map(() => []);
    const candles = this.#market.advance((steps) =>
      steps.forEach(({ close }, pair) => path[pair].push(close)),
    );
    candles.forEach(({ open }, pair) => path[pair].unshift(open));
    this.#paths.set(openMs, path);
    this.#paths.delete(openMs - hoursKept * hourMs);
  }

  /** Interpolated between the prices of two steps; null before the first hour that is kept. */
  #price(pair: number, timeMs: number): number | null {
    const openMs = Math.floor(timeMs / hourMs) * hourMs;
    const path = this.#paths.get(openMs)?.[pair];
    if (!path) return null;
    const step = Math.floor((timeMs - openMs) / stepMs);
    const [from, to] = [path[step], path[step + 1]];
    const between = from + (to - from) * ((timeMs - openMs) / stepMs - step);
    return Number(between.toFixed(this.#pairs[pair].decimals));
  }
}
