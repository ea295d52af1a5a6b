import type { Season } from '../market/season-calendar.js';
import { readSeasonality, type Seasonality } from '../market/seasonality.js';
import { defineTask, type SeriesQuestion } from '../task.js';

export interface SeasonalityParams {
  by: Season;
}

/** Return, volatility and volume by hour, weekday, month or session. Throws `invalid_input`, `not_enough_history`. */
export const seasonality = defineTask({
  name: 'seasonality',
  run: ({ candles, interval, params }: SeriesQuestion<SeasonalityParams>): Seasonality =>
    readSeasonality(candles, interval, params.by),
});
