import { computeCoreLine } from '../core-line/states.js';
import { computeIndicator } from '../model/indicator.js';
import type { Candles } from '../model/candles.js';
import { stateCode } from '../model/core-line.js';
import { intervalMs, type Interval } from '../model/interval.js';
import type { ScratchBuffers } from '../model/scratch-buffers.js';
import type { RuleColumn } from './rule-column.js';
import type { AnyIndicator, ScreenField } from './screen-field.js';

const dayMs = 86_400_000;

/** The values of fields on the candles of one pair. Columns are computed when they are first read. */
export class ScreenValues {
  readonly #candles: Candles;
  readonly #intervalMs: number;
  readonly #scratch: ScratchBuffers;
  readonly #columns = new Map<string, Record<string, Float64Array>>();
  #states: Int8Array | undefined;

  constructor(candles: Candles, interval: Interval, scratch: ScratchBuffers) {
    this.#candles = candles;
    this.#intervalMs = intervalMs(interval);
    this.#scratch = scratch;
  }

  /** The value at a number of candles before the last; a state is its code; NaN where there is no value. */
  at({ field, back, factor }: RuleColumn, candlesBefore: number): number {
    const i = this.#candles.time.length - 1 - candlesBefore - back;
    return i < 0 ? NaN : this.#valueOf(field, i) * factor;
  }

  #valueOf(field: ScreenField, i: number): number {
    switch (field.kind) {
      case 'price':
        return this.#candles[field.column][i];
      case 'change':
        return this.#change(i, field.candles);
      case 'state':
        return this.#stateAt(i);
      case 'days_in_state':
        return this.#daysInState(i);
      case 'indicator':
        return this.#column(field.indicator, field.params)[field.output][i];
    }
  }

  #change(i: number, candles: number): number {
    const { close } = this.#candles;
    return i < candles ? NaN : (close[i] / close[i - candles] - 1) * 100;
  }

  #stateAt(i: number): number {
    this.#states ??= computeCoreLine(this.#candles, this.#scratch).state;
    return this.#states[i] === stateCode.none ? NaN : this.#states[i];
  }

  /** Days from the open of the first candle with the state to the close of candle `i`. */
  #daysInState(i: number): number {
    const { time } = this.#candles;
    const state = this.#stateAt(i);
    if (Number.isNaN(state)) return NaN;
    let first = i;
    while (first > 0 && this.#stateAt(first - 1) === state) first--;
    return (time[i] + this.#intervalMs - time[first]) / dayMs;
  }

  #column(indicator: AnyIndicator, params: Record<string, number>): Record<string, Float64Array> {
    const name = JSON.stringify([indicator.name, params]);
    const known = this.#columns.get(name);
    if (known) return known;
    const columns = computeIndicator(indicator, this.#candles, params, this.#scratch);
    this.#columns.set(name, columns);
    return columns;
  }
}
