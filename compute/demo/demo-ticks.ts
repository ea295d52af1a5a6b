import { Decimal } from '../model/decimal.js';
import type { MarketTick } from '../model/market-tick.js';
import type { PriceTick } from '../model/price.js';
import { btcTurnoverShare } from './demo-asset-state.js';
import { demoAssets } from './demo-assets.js';
import { DemoMarket, hourMs, stepsPerHour, type DemoPair } from './demo-market.js';
import { demoActivity } from './demo-regimes.js';

/** The prices of every pair at the steps of one hour: the open first, the close last. */
type HourPath = number[][];

const hoursKept = 26;
const dayMs = 24 * hourMs;
const stepMs = hourMs / stepsPerHour;
/** Places of a volume; so many has the step of no pair. */
const volumePlaces = 8;
const turnovers = new Map(demoAssets.map(({ base, turnover }) => [base, turnover]));

/** Live prices of the demo market: a function of time that moves linearly between the steps of the hour's candle. */
export class DemoTicks {
  readonly #market = new DemoMarket();
  readonly #pairs: readonly DemoPair[] = this.#market.pairs;
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

  /**
   * The price of every pair with its extremes and volume after `sinceMs`, at most a day back. `nowMs` is not before the last
   * call's. The volume is the usual turnover of the asset at this hour of the week, for the time since then.
   */
  since(sinceMs: number, nowMs: number): MarketTick[] {
    const sinceTime = Math.min(nowMs, Math.max(sinceMs, nowMs - dayMs));
    const steps: number[] = [];
    for (let ms = (Math.floor(sinceTime / stepMs) + 1) * stepMs; ms < nowMs; ms += stepMs) steps.push(ms);
    return this.at(nowMs).map(({ base, quote, price }, pair) => {
      const prices = [price, ...steps.map((ms) => this.#price(pair, ms) ?? price)];
      return {
        pair: { base, quote },
        price: decimal(price),
        high: decimal(Math.max(...prices)),
        low: decimal(Math.min(...prices)),
        volume: Decimal.read(this.#volume(pair, nowMs, nowMs - sinceTime).toFixed(volumePlaces)),
        since: sinceTime,
        at: nowMs,
      };
    });
  }

  /** In base units. */
  #volume(pair: number, nowMs: number, ms: number): number {
    const { base, quote } = this.#pairs[pair];
    const inUsdt = this.#pairs.findIndex((each) => each.base === base && each.quote === 'USDT');
    const turnover = turnovers.get(base)! * (quote === 'BTC' ? btcTurnoverShare : 1);
    const activity = demoActivity(Math.floor(nowMs / hourMs) * hourMs);
    return (turnover * activity * (ms / hourMs)) / this.#price(inUsdt, nowMs)!;
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

/** The decimal with the digits that the number prints. */
const decimal = (value: number): Decimal => Decimal.read(String(value));
