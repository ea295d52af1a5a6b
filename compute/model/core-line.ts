import { candleColumns } from './candles.js';
import { field, type Unit, type Value, type Values } from './field.js';
import { nullReason } from './null-reason.js';

export const trendStates = ['accumulate', 'wait', 'distribute'] as const;

export type TrendState = (typeof trendStates)[number];

/** The colour in which each state is shown. */
export const stateColors: Readonly<Record<TrendState, string>> = {
  accumulate: '#3ca691',
  wait: '#6B6588',
  distribute: '#B767DE',
};

/** The codes of states in a column; `none` before the rule is ready. */
export const stateCode = { none: -2, distribute: -1, wait: 0, accumulate: 1 } as const;

/** The name of a stored state; null for `none`. */
export function stateName(code: number): TrendState | null {
  if (code === stateCode.accumulate) return 'accumulate';
  if (code === stateCode.distribute) return 'distribute';
  return code === stateCode.wait ? 'wait' : null;
}

const conditionNames = ['band', 'slope', 'direction', 'strength', 'confirmation'] as const;

const stateChoice = (text: string) => field.choice(text, trendStates);

const conditionField = field.object(
  'a condition of the rule on the candle of a flip, with the numbers it compared',
  {
    name: field.choice('name of the condition', conditionNames),
    asks: field.text('what the condition asks, in words'),
    held: field.flag('whether it held'),
    value: field.number('what was read'),
    threshold: field.number('what it was compared with, in the same unit'),
  },
);

export type Condition = Value<typeof conditionField>;

/** A change of state; times are open times of candles. */
export const flipField = field.object('a change of state', {
  date: field.time('open time of the candle on whose close the state changed'),
  from: stateChoice('state before'),
  to: stateChoice('state after'),
  close: field.number('close of that candle', { unit: 'quote' }),
  conditions: field.list('the conditions of the rule on that candle', conditionField),
  explanation: field.text('why the state changed, in words'),
  outcome: field.object('what the price did until the next flip, or until now', {
    until: field.nullable(field.time('open time of the next flip; null where there was none yet')),
    candles: field.count('candles from the flip to there'),
    close: field.number('close there', { unit: 'quote' }),
    change: field.number('change of the price', { unit: 'percent' }),
    highest: field.number('highest price meanwhile', { unit: 'quote' }),
    lowest: field.number('lowest price meanwhile', { unit: 'quote' }),
  }),
});

/** A change of state as it is stored: its date is called `time`. */
export type FlipView = Omit<Value<typeof flipField>, 'date'> & { time: number };

const nextClose = (text: string) =>
  field.nullable(
    field.object(text, {
      close: field.number('close of the next candle', { unit: 'quote' }),
      percent: field.number('distance from the last close; negative where it is lower', { unit: 'percent' }),
      atr: field.nullable(
        field.number('distance from the last close; null where the price has not moved', { unit: 'atr' }),
      ),
      lowest: field.nullable(
        field.number('lowest close of the range around it that does the same; null: no lower limit', {
          unit: 'quote',
        }),
      ),
      highest: field.nullable(
        field.number('highest close of that range; null: no upper limit', { unit: 'quote' }),
      ),
    }),
  );

/** The closes of the next candle at which the state changes. The state after an unchanged close differs if the strength decays. */
export const flipPriceFields = {
  assumption: field.text('what is assumed of the next candle besides its close'),
  unmoved: stateChoice('state after a candle that closes where the last one did'),
  stays: nextClose('nearest close that keeps the state; null: none does'),
  targets: field.list(
    'the two other states',
    field.object('another state', {
      to: stateChoice('new state'),
      nearest: nextClose('nearest close of the next candle that brings the state; null: no close does'),
      candlesNeeded: field.count('fewest candles until the state can change', { unit: 'candles' }),
      agreeing: nextClose(
        'nearest close that makes the next candle agree with the new state; null: no close does, or the state needs no agreement',
      ),
    }),
  ),
};

export type FlipPrice = Values<typeof flipPriceFields>;

export type FlipTarget = FlipPrice['targets'][number];

export type NextClose = NonNullable<FlipTarget['nearest']>;

/** The length of the past in a view. */
export const viewLimits = { candles: 1000, flips: 200 } as const;

export const viewColumns = [...candleColumns, 'line', 'upper', 'lower', 'state'] as const;

const sample = (unit: Unit) => ({
  count: field.count('sample size'),
  mean: field.nullable(field.number('mean; null without a case', { unit })),
  median: field.nullable(field.number('median; null without a case', { unit })),
  low: field.nullable(
    field.number('lower end of the 95 % confidence interval of the mean; null with too few cases', { unit }),
  ),
  high: field.nullable(field.number('upper end of it', { unit })),
  reason: nullReason,
});

/** Figures come from the cases whose candles do not overlap. */
export const forwardReturnFields = {
  from: stateChoice('state before'),
  to: stateChoice('state after'),
  candles: field.count('candles after the transition', { unit: 'candles' }),
  seen: field.count('transitions of this kind, also those whose candles overlap an earlier one'),
  ...sample('percent'),
};

/** Lengths of states in candles, and changes of the price after flips, over the whole history. */
export const flipStatisticsFields = {
  durations: field.list(
    'how long states lasted; the present state is left out',
    field.object('a state', { state: stateChoice('trend state'), ...sample('candles') }),
  ),
  forwardReturns: field.list(
    'what the price did after each kind of transition',
    field.object('a kind of transition and a horizon', forwardReturnFields),
  ),
  method: field.text('how the intervals are computed'),
};

export type FlipStatistics = Values<typeof flipStatisticsFields>;

export type ForwardReturn = FlipStatistics['forwardReturns'][number];

/** The trend state of a series; every field is null if the series has no candle. */
export const stateFields = {
  state: field.nullable(field.choice('trend state; null with fewer than 61 candles', trendStates)),
  since: field.nullable(field.time('open time of the candle since which the state holds')),
  candlesInState: field.nullable(
    field.count('candles in a row with this state; 1 on the candle that brought it', { unit: 'candles' }),
  ),
  daysInState: field.nullable(field.number('days from `since` to `asOf`', { unit: 'days' })),
  price: field.nullable(field.number('last close', { unit: 'quote' })),
  asOf: field.nullable(field.time('close time of the last candle')),
};

export type StateOrNone = Values<typeof stateFields>;

/** The trend state of a series after its last closed candle. Times in ms, UTC. */
export type CurrentState = Omit<StateOrNone, 'price' | 'asOf'> & { price: number; asOf: number };

/** The trend state of a series, where it changes next, and its recent past. */
export interface CoreLineView extends CurrentState {
  /** Where the state changes next; null before the rule is ready. */
  flipPrice: FlipPrice | null;
  /** Where structure, trend, momentum and summary point and why, if they differ; null if they do not, or before the rule is ready. */
  readingsDiffer: string | null;
  /** The last 1,000 candles with line, band edges and state code; NaN before the warm-up. */
  columns: Record<(typeof viewColumns)[number], Float64Array>;
  statistics: FlipStatistics;
  /** The last 200 flips, newest first. */
  flips: FlipView[];
}
