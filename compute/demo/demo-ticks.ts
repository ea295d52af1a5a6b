import { Decimal } from '../model/decimal.js';
import type { MarketTick } from '../model/market-tick.js';
import type { PriceTick } from '../model/price.js';
import { btcTurnoverShare } from './demo-asset-state.js';
import { demoAssets } from './demo-assets.js';
import { DemoMarket, hourMs, stepsPerHour, demoActivity, type DemoPair } from './demo-market.js';
import { bridgedPrice, bridgeParts } from './price-bridge.js';

/** An hour of a pair: its prices at the steps (the open first, the close last), its extremes, and the usual move of a step. */
interface HourPath {
  prices: number[];
  low: number;
  high: number;
  deviation: number;
}

const hoursKept = 26;
const dayMs = 24 * hourMs;
const stepMs = hourMs / stepsPerHour;
/** Decimal places of a volume: more than the quantity step of any pair has. */
const volumePlaces = 8;
const turnovers = new Map(demoAssets.map(({ base, turnover }) => [base, turnover]));

/** The mean size of normally distributed moves, as a multiple of their deviation: sqrt(2 / pi). */
const meanOfSizes = 0.798;
/** Over a longer time than this, extremes are taken from the 5-minute steps alone. */
const fineMs = hourMs;

/**
 * Live prices of the demo market: a function of time that meets the steps of the hour's candle, and between them moves as much
 * as the steps of the hour do, within the candle.
 */
export class DemoTicks {
  readonly #market = new DemoMarket();
  readonly #pairs: readonly DemoPair[] = this.#market.pairs;
  /** The last `hoursKept` hours by open time. */
  readonly #paths = new Map<number, HourPath[]>();

  /** The price of every pair at a time not before that of the last call. The first call generates all hours since 2022. */
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
   * The price of every pair with its extremes and volume after `sinceMs`, at most a day back. `nowMs` is not before that of the
   * last call. The volume is the usual turnover of the asset at this hour of the week, for the time since then.
   */
  since(sinceMs: number, nowMs: number): MarketTick[] {
    const sinceTime = Math.min(nowMs, Math.max(sinceMs, nowMs - dayMs));
    const gridMs = nowMs - sinceTime > fineMs ? stepMs : stepMs / bridgeParts;
    const times: number[] = [];
    for (let n = Math.floor(sinceTime / gridMs) + 1; n * gridMs < nowMs; n++) times.push(n * gridMs);
    return this.at(nowMs).map(({ base, quote, price }, pair) => {
      const prices = [price, ...times.map((ms) => this.#price(pair, ms) ?? price)];
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

  /** The volume of the last `ms` milliseconds, in base units. */
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
    const paths = this.#pairs.map(() => [] as number[]);
    const candles = this.#market.advance((steps) =>
      steps.forEach(({ close }, pair) => paths[pair].push(close)),
    );
    const hour = candles.map(({ open, low, high }, pair) => {
      const prices = [open, ...paths[pair]];
      return { prices, low, high, deviation: meanMove(prices) / meanOfSizes };
    });
    this.#paths.set(openMs, hour);
    this.#paths.delete(openMs - hoursKept * hourMs);
  }

  /** The price of a pair at a time; null before the first hour that is kept. */
  #price(pair: number, timeMs: number): number | null {
    const openMs = Math.floor(timeMs / hourMs) * hourMs;
    const path = this.#paths.get(openMs)?.[pair];
    if (!path) return null;
    const { prices, low, high, deviation } = path;
    const step = Math.floor((timeMs - openMs) / stepMs);
    const seed = Math.imul((openMs / stepMs + step) | 0, 0x27d4eb2f) ^ Math.imul(pair + 1, 0x165667b1);
    const bridge = { from: prices[step], to: prices[step + 1], low, high, deviation, seed };
    const price = bridgedPrice(bridge, (timeMs - openMs) / stepMs - step);
    return Number(price.toFixed(this.#pairs[pair].decimals));
  }
}

/** The mean size of the moves from each price to the next. */
const meanMove = (prices: readonly number[]): number =>
  prices.slice(1).reduce((sum, price, n) => sum + Math.abs(price - prices[n]), 0) / (prices.length - 1);

/** The decimal with the digits that the number prints. */
const decimal = (value: number): Decimal => Decimal.read(String(value));
