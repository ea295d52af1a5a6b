import { firstCandleFrom, sliceCandles, type Candles } from '../model/candles.js';
import { AppError } from '../model/errors.js';
import { field } from '../model/field.js';
import { intervalMs, type Interval } from '../model/interval.js';

/** The end of a window in the past. */
export const untilField = field.nullable(
  field.text('only candles that had closed by then, ISO 8601, as in 2026-01-31T00:00:00.000Z; null: all', {
    pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
    patternName: 'a time such as 2026-01-31T00:00:00.000Z',
  }),
  { default: null },
);

/** The candles that had closed by a time; all of them for null. Throws `invalid_input` for a time that does not exist. */
export function closedBy(candles: Candles, interval: Interval, until: string | null): Candles {
  if (until === null) return candles;
  const untilMs = Date.parse(until);
  if (Number.isNaN(untilMs)) {
    const message = `"until" must be a time of the calendar, found ${until}`;
    throw new AppError('invalid_input', message, { details: { field: 'until' } });
  }
  const end = firstCandleFrom(candles.time, untilMs - intervalMs(interval) + 1);
  return end === candles.time.length ? candles : sliceCandles(candles, 0, end);
}
