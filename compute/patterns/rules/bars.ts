import { MeansBefore } from './means-before.js';
import type { Candles } from '../../model/candles.js';
import { ScratchBuffers } from '../../model/scratch-buffers.js';

export type PriceColumns = Pick<Candles, 'open' | 'high' | 'low' | 'close'>;

/**
 * The view of the candles that a candlestick rule reads. Every method takes the age of a candle: 0 is the last candle
 * of the pattern, 1 the one before. Long, short and near are relative to the candles before that candle, with TA-Lib's
 * default settings.
 */
export class Bars {
  readonly length: number;
  /** Index of the last candle of the pattern. */
  at = 0;
  /** Index of the first candle that the rule is tried on, where TA-Lib's averages begin. */
  start = 0;

  /** Colours of the last five candles, one bit each, set for white: 1 is the last candle, 2 the one before. */
  readonly colours: Uint8Array;

  readonly #open: Float64Array;
  readonly #high: Float64Array;
  readonly #low: Float64Array;
  readonly #close: Float64Array;
  readonly #top: Float64Array;
  readonly #bottom: Float64Array;
  readonly #body: Float64Array;
  readonly #bodies: MeansBefore;
  readonly #ranges: MeansBefore;
  readonly #recentRanges: MeansBefore;
  readonly #shadows: MeansBefore;

  constructor({ open, high, low, close }: PriceColumns, scratch = new ScratchBuffers()) {
    const { length } = close;
    this.length = length;
    this.#open = open;
    this.#high = high;
    this.#low = low;
    this.#close = close;
    this.colours = new Uint8Array(length);
    const top = (this.#top = scratch.column(length));
    const bottom = (this.#bottom = scratch.column(length));
    const body = (this.#body = scratch.column(length));
    const range = scratch.column(length);
    const shadows = scratch.column(length);
    let colours = 0;
    for (let i = 0; i < length; i++) {
      const isWhite = close[i] >= open[i];
      top[i] = isWhite ? close[i] : open[i];
      bottom[i] = isWhite ? open[i] : close[i];
      body[i] = top[i] - bottom[i];
      range[i] = high[i] - low[i];
      shadows[i] = high[i] - top[i] + (bottom[i] - low[i]);
      colours = ((colours << 1) & 31) | Number(isWhite);
      this.colours[i] = colours;
    }
    this.#bodies = new MeansBefore(10, body, scratch);
    this.#ranges = new MeansBefore(10, range, scratch);
    this.#recentRanges = new MeansBefore(5, range, scratch);
    this.#shadows = new MeansBefore(10, shadows, scratch);
  }

  open(age: number): number {
    return this.#open[this.at - age];
  }

  high(age: number): number {
    return this.#high[this.at - age];
  }

  low(age: number): number {
    return this.#low[this.at - age];
  }

  close(age: number): number {
    return this.#close[this.at - age];
  }

  /** Whether the candle closed at or above its open. */
  isWhite(age: number): boolean {
    return (this.colours[this.at] & (1 << age)) !== 0;
  }

  /** 1 for white, -1 for black. */
  colour(age: number): 1 | -1 {
    return this.isWhite(age) ? 1 : -1;
  }

  /** The upper end of the body. */
  top(age: number): number {
    return this.#top[this.at - age];
  }

  /** The lower end of the body. */
  bottom(age: number): number {
    return this.#bottom[this.at - age];
  }

  body(age: number): number {
    return this.#body[this.at - age];
  }

  upperShadow(age: number): number {
    return this.high(age) - this.top(age);
  }

  lowerShadow(age: number): number {
    return this.bottom(age) - this.low(age);
  }

  /** Whether the body is longer than the mean of the ten before it. */
  isLong(age: number): boolean {
    return this.body(age) > this.#mean(this.#bodies, age);
  }

  /** Whether the body is shorter than the mean of the ten before it. At exactly the mean it is neither long nor short. */
  isShort(age: number): boolean {
    return this.body(age) < this.#mean(this.#bodies, age);
  }

  /** Whether the body counts as a doji by the scale of the candle of the given age, by default its own. */
  isDoji(age: number, measuredAt = age): boolean {
    return this.body(age) <= 0.1 * this.#mean(this.#ranges, measuredAt);
  }

  /** A shadow up to this length counts as none: a tenth of the mean range of the ten candles before. */
  tinyShadow(age: number): number {
    return 0.1 * this.#mean(this.#ranges, age);
  }

  /** A shadow up to this length counts as short: the mean shadow of the ten candles before. */
  shortShadow(age: number): number {
    return this.#mean(this.#shadows, age) / 2;
  }

  hasTinyUpperShadow(age: number): boolean {
    return this.upperShadow(age) < this.tinyShadow(age);
  }

  hasTinyLowerShadow(age: number): boolean {
    return this.lowerShadow(age) < this.tinyShadow(age);
  }

  hasShortUpperShadow(age: number): boolean {
    return this.upperShadow(age) < this.shortShadow(age);
  }

  hasShortLowerShadow(age: number): boolean {
    return this.lowerShadow(age) < this.shortShadow(age);
  }

  /** Whether the shadow is longer than the candle's own body. */
  hasLongUpperShadow(age: number): boolean {
    return this.upperShadow(age) > this.body(age);
  }

  hasLongLowerShadow(age: number): boolean {
    return this.lowerShadow(age) > this.body(age);
  }

  /** Whether the shadow is longer than twice the candle's own body. */
  hasVeryLongUpperShadow(age: number): boolean {
    return this.upperShadow(age) > 2 * this.body(age);
  }

  hasVeryLongLowerShadow(age: number): boolean {
    return this.lowerShadow(age) > 2 * this.body(age);
  }

  /** Whether the whole body is above that of the earlier candle, by default the one before. */
  bodyGapsUp(age: number, from = age + 1): boolean {
    return this.bottom(age) > this.top(from);
  }

  bodyGapsDown(age: number, from = age + 1): boolean {
    return this.top(age) < this.bottom(from);
  }

  /** Whether the whole candle, shadows included, is above the one before. */
  gapsUp(age: number): boolean {
    return this.low(age) > this.high(age + 1);
  }

  gapsDown(age: number): boolean {
    return this.high(age) < this.low(age + 1);
  }

  /** The largest distance that counts as near: a fifth of the mean range of the five candles before. */
  near(age: number): number {
    return 0.2 * this.#mean(this.#recentRanges, age);
  }

  /** The distance from which on prices are far apart: three fifths of the mean range of the five candles before. */
  far(age: number): number {
    return 0.6 * this.#mean(this.#recentRanges, age);
  }

  /** Prices up to this distance count as equal: a twentieth of the mean range of the five candles before. */
  equal(age: number): number {
    return 0.05 * this.#mean(this.#recentRanges, age);
  }

  /** Whether a price or length differs from the wanted one by at most `reach`. */
  isAt(price: number, wanted: number, reach: number): boolean {
    return price <= wanted + reach && price >= wanted - reach;
  }

  #mean(means: MeansBefore, age: number): number {
    return means.mean(this.at - age, this.start - age);
  }
}
