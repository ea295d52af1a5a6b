import { seriesFields } from '../../../compute/model/asset-fields.js';
import type { Candles } from '../../../compute/model/candles.js';
import { field } from '../../../compute/model/field.js';
import { intervalMs } from '../../../compute/model/interval.js';
import { describedOperation } from './described-operation.js';
import { utcTime } from '../../../compute/model/utc-day.js';
import { findSeries, secondsToNextClose } from './series-input.js';

const input = {
  ...seriesFields,
  limit: field.integer('most candles', { min: 1, max: 500, default: 100, unit: 'candles' }),
  endTime: field.nullable(
    field.time('only candles that had closed by this time, UTC; null: up to the last'),
    { default: null },
  ),
};

const output = {
  ...seriesFields,
  source: field.text('market the candles come from'),
  asOf: field.text('close time of the newest stored candle of the series, ISO 8601'),
  firstTime: field.text('open time of the first stored candle of the series, ISO 8601'),
  count: field.count('candles in this answer'),
  candles: field.list(
    'the candles, the newest last',
    field.object('a candle', {
      time: field.text('open time, ISO 8601'),
      open: field.number('first price', { unit: 'quote' }),
      high: field.number('highest price', { unit: 'quote' }),
      low: field.number('lowest price', { unit: 'quote' }),
      close: field.number('last price', { unit: 'quote' }),
      volume: field.number('what was traded', { unit: 'base' }),
    }),
  ),
  earlierEndTime: field.nullable(
    field.text(
      '`endTime` of the page before this one; null where this one begins with the first stored candle',
    ),
  ),
};

export const closedCandles = describedOperation({
  id: 'candles',
  summary: 'The closed candles of a pair, the newest last, up to 500 at a time.',
  input,
  output,
  errors: ['market_filling'],
  async handle({ limit, endTime, ...asked }, deps) {
    const series = await findSeries(asked, deps);
    const closedMs = series.last + intervalMs(series.interval);
    const read = await deps.storage.candles.closedBy(series, Math.min(endTime ?? Infinity, closedMs), limit);
    const first = read.time.at(0);
    return {
      payload: {
        ...asked,
        source: series.market,
        asOf: utcTime(closedMs),
        firstTime: utcTime(series.first),
        count: read.time.length,
        candles: rowsOf(read),
        earlierEndTime: first === undefined || first <= series.first ? null : utcTime(first),
      },
      ttl: secondsToNextClose(series),
    };
  },
});

const rowsOf = ({ time, open, high, low, close, volume }: Candles) =>
  Array.from(time, (openMs, i) => ({
    time: utcTime(openMs),
    open: open[i],
    high: high[i],
    low: low[i],
    close: close[i],
    volume: volume[i],
  }));
