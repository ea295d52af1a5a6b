import { seriesFields } from '../../../compute/model/asset-fields.js';
import { field } from '../../../compute/model/field.js';
import { objectSchema } from '../../../jobs/definitions/shared/field-schema.js';
import {
  stateColors,
  stateName,
  viewColumns,
  viewLimits,
  type CoreLineView,
} from '../../../compute/model/core-line.js';
import { roundFigure } from '../../../compute/model/round-figures.js';
import { earlierChartJob } from '../../../jobs/definitions/earlier-chart.js';
import type { Series } from '../../../storage/candles/series.js';
import type { Caller, Deps } from '../../context.js';
import { defineOperation } from '../../operation.js';
import { runJob } from '../run-job.js';
import { headOf, readCoreLine, coreLineHead } from './core-line.js';
import { findSeries, secondsToNextClose, keyAndDigest } from './series-input.js';
import { count, figure, list, oneOf, seconds, stateField, answerOf } from '../output-fields.js';

const point = answerOf({
  time: seconds('open time of the candle'),
  value: figure('in quote currency'),
});

const points = (description: string) => list(point, `${description}; the warm-up is left out`);

const candle = answerOf({
  time: seconds('open time'),
  open: figure('first price, in quote currency'),
  high: figure('highest price, in quote currency'),
  low: figure('lowest price, in quote currency'),
  close: figure('last price, in quote currency'),
  volume: figure('what was traded, in units of the asset'),
});

const state = answerOf({
  time: seconds('open time of the candle'),
  state: stateField('state after the candle'),
  color: oneOf(Object.values(stateColors), 'colour of the state'),
});

const chartOutput = answerOf({
  ...coreLineHead,
  missingCandles: count('missing candles in the whole stored history'),
  candles: list(candle, 'oldest first'),
  line: points('the core line, in quote currency'),
  upper: points('upper edge of the band'),
  lower: points('lower edge of the band'),
  states: list(state, 'state after each candle'),
});

/** The trend state of an asset now, and the series to draw it. Times of points are in seconds, UTC. */
export const chart = defineOperation({
  id: 'chart',
  summary: 'The trend state of an asset now, and the candles, line and band to draw it.',
  hasEtag: true,
  input: objectSchema({
    ...seriesFields,
    limit: field.integer('most recent candles, or those before `before`', {
      min: 1,
      max: viewLimits.candles,
      default: 500,
    }),
    before: field.nullable(
      field.time('only candles that opened before this time, to scroll back; null: up to the last'),
      { default: null },
    ),
  }),
  output: chartOutput,
  leadsTo: [
    { to: 'flip-intelligence', fields: { asset: 'payload/asset', tradeMarket: 'payload/tradeMarket' } },
    { to: 'backtest', fields: { asset: 'payload/asset', tradeMarket: 'payload/tradeMarket' } },
  ],
  errors: ['market_filling'],
  async handle(input, deps, caller) {
    const series = await findSeries(input, deps);
    const { view } = await readCoreLine(
      series,
      (moment) => deps.storage.coreLines.chart(series, moment),
      deps,
      caller,
    );
    const { limit, before } = input;
    const columns = before === null ? view.columns : await readEarlier(series, before, limit, deps, caller);
    return {
      payload: {
        ...headOf(input, series, view),
        missingCandles: series.missing,
        ...drawable(columns, input.limit),
      },
      ttl: secondsToNextClose(series),
      etag: `${series.digest.slice(0, 32)}-${limit}${before === null ? '' : `-${before}`}`,
    };
  },
});

/** The columns before a time, which a job makes: only the newest candles are stored with what is drawn beside them. */
async function readEarlier(
  series: Series,
  beforeMs: number,
  limit: number,
  deps: Deps,
  caller: Caller,
): Promise<CoreLineView['columns']> {
  const data = { ...keyAndDigest(series), beforeMs, limit };
  const { result } = await runJob(earlierChartJob, data, deps, caller);
  const columns = viewColumns.map((name) => [name, Float64Array.from(result[name], (value) => value ?? NaN)]);
  return Object.fromEntries(columns) as CoreLineView['columns'];
}

/** The last `limit` candles as chart libraries take them; line, band and states leave out the warm-up. */
export function drawable(columns: CoreLineView['columns'], limit: number) {
  const from = Math.max(0, columns.time.length - limit);
  const time = Array.from(columns.time.subarray(from), (ms) => ms / 1000);
  const { open, high, low, close, volume } = columns;
  // Values are rounded here, where their objects are made: rounding an answer copies each object that it changes.
  const points = (values: Float64Array) =>
    time
      .map((at, i) => ({ time: at, value: roundFigure(values[from + i]) }))
      .filter(({ value }) => !Number.isNaN(value));
  return {
    candles: time.map((at, i) => ({
      time: at,
      open: open[from + i],
      high: high[from + i],
      low: low[from + i],
      close: close[from + i],
      volume: volume[from + i],
    })),
    line: points(columns.line),
    upper: points(columns.upper),
    lower: points(columns.lower),
    states: time.flatMap((at, i) => {
      const state = stateName(columns.state[from + i]);
      return state === null ? [] : [{ time: at, state, color: stateColors[state] }];
    }),
  };
}
