import { computeCoreLine } from '../core-line/states.js';
import { atr } from '../indicators/atr.js';
import type { Candles } from '../model/candles.js';
import { stateCode } from '../model/core-line.js';
import { computeIndicator } from '../model/indicator.js';
import { intervalMs, type ResearchInterval } from '../model/interval.js';
import { resampleCandles } from '../model/resample.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import type { RuleColumn } from './rule-column.js';
import type { AnyIndicator, ScreenField } from './screen-field.js';

const dayMs = 86_400_000;

/** Candles of the interval of a column, and for each base candle the last of them that had closed with it; null: itself. */
interface LongerSeries {
  candles: Candles;
  intervalMs: number;
  lastClosed: Int32Array | null;
  outputs: Map<string, Record<string, Float64Array>>;
}

/**
 * The columns of conditions over all candles of one series: a value for each candle, NaN where there is none. Each is
 * computed once. All live in `scratch`.
 */
export class RuleColumns {
  readonly #candles: Candles;
  readonly #base: number;
  readonly #scratch: ScratchBuffers;
  readonly #series = new Map<ResearchInterval | null, LongerSeries>();
  readonly #columns = new Map<string, Float64Array>();

  constructor(candles: Candles, interval: ResearchInterval, scratch: ScratchBuffers) {
    this.#candles = candles;
    this.#base = intervalMs(interval);
    this.#scratch = scratch;
  }

  /** How many columns are kept. */
  get count(): number {
    return this.#columns.size;
  }

  column(column: RuleColumn): Float64Array {
    const known = this.#columns.get(column.name);
    if (known) return known;
    const series = this.#seriesOf(column.interval);
    const values = this.#shift(this.#own(column.field, series), series.lastClosed, column);
    this.#columns.set(column.name, values);
    return values;
  }

  /** ATR(period) of the base candles. */
  atr(period: number): Float64Array {
    return this.#indicator(atr, { period }, this.#seriesOf(null)).atr;
  }

  #seriesOf(interval: ResearchInterval | null): LongerSeries {
    let series = this.#series.get(interval);
    if (!series) {
      const outputs = new Map<string, Record<string, Float64Array>>();
      series =
        interval === null
          ? { candles: this.#candles, intervalMs: this.#base, lastClosed: null, outputs }
          : { ...longer(this.#candles, this.#base, intervalMs(interval)), outputs };
      this.#series.set(interval, series);
    }
    return series;
  }

  /** The values on the candles of the column's own interval. */
  #own(field: ScreenField, series: LongerSeries): Float64Array {
    const { candles } = series;
    switch (field.kind) {
      case 'price':
        return candles[field.column];
      case 'change':
        return changes(candles.close, field.candles, this.#scratch);
      case 'state':
        return this.#states(series);
      case 'days_in_state':
        return ages(this.#states(series), series, this.#scratch);
      case 'indicator':
        return this.#indicator(field.indicator, field.params, series)[field.output];
    }
  }

  #states(series: LongerSeries): Float64Array {
    let found = series.outputs.get('state');
    if (!found) {
      const { length } = series.candles.time;
      const states = this.#scratch.column(length);
      const codes = this.#scratch.within((scratch) => computeCoreLine(series.candles, scratch).state);
      for (let i = 0; i < length; i++) states[i] = codes[i] === stateCode.none ? NaN : codes[i];
      found = { state: states };
      series.outputs.set('state', found);
    }
    return found.state;
  }

  #indicator(
    indicator: AnyIndicator,
    params: Record<string, number>,
    { candles, outputs }: LongerSeries,
  ): Record<string, Float64Array> {
    const name = JSON.stringify([indicator.name, params]);
    let found = outputs.get(name);
    if (!found) {
      found = computeIndicator(indicator, candles, params, this.#scratch);
      outputs.set(name, found);
    }
    return found;
  }

  #shift(own: Float64Array, lastClosed: Int32Array | null, { back, factor }: RuleColumn): Float64Array {
    if (!lastClosed && back === 0 && factor === 1) return own;
    const values = this.#scratch.column(this.#candles.time.length);
    for (let i = 0; i < values.length; i++) {
      const at = (lastClosed ? lastClosed[i] : i) - back;
      values[i] = at < 0 ? NaN : own[at] * factor;
    }
    return values;
  }
}

function longer(base: Candles, baseMs: number, longMs: number): Omit<LongerSeries, 'outputs'> {
  const { time } = base;
  const { length } = time;
  const candles =
    length === 0
      ? base
      : resampleCandles(base, { bucketMs: longMs, firstMs: time[0], endMs: time[length - 1] + baseMs });
  const lastClosed = new Int32Array(length);
  let last = -1;
  for (let i = 0; i < length; i++) {
    while (last + 1 < candles.time.length && candles.time[last + 1] + longMs <= time[i] + baseMs) last++;
    lastClosed[i] = last;
  }
  return { candles, intervalMs: longMs, lastClosed };
}

function changes(close: Float64Array, back: number, scratch: ScratchBuffers): Float64Array {
  const values = scratch.column(close.length);
  values.fill(NaN, 0, back);
  for (let i = back; i < close.length; i++) values[i] = (close[i] / close[i - back] - 1) * 100;
  return values;
}

/** Days from the open of the first candle with the state to the close of each candle. */
function ages(
  states: Float64Array,
  { candles: { time }, intervalMs: lengthMs }: LongerSeries,
  scratch: ScratchBuffers,
): Float64Array {
  const values = scratch.column(time.length);
  let first = 0;
  for (let i = 0; i < time.length; i++) {
    if (i > 0 && states[i] !== states[i - 1]) first = i;
    values[i] = Number.isNaN(states[i]) ? NaN : (time[i] + lengthMs - time[first]) / dayMs;
  }
  return values;
}
