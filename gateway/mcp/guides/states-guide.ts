import { stateColors } from '../../operations/analysis/core-line.js';

/** What the trend states mean, for models and people. */
export const statesGuide = `# Trend states

Each asset has a trend state on each interval (1h, 4h, 1d), computed on closed candles from the trend line and the readings around it.

| state | colour | meaning |
|---|---|---|
| accumulate | ${stateColors.accumulate} | the asset shows structural strength |
| wait | ${stateColors.wait} | there is no clear directional bias |
| distribute | ${stateColors.distribute} | the asset shows structural weakness |

- A state needs 61 candles of history; before that it is null.
- A state changes on the close of a candle, never within it. get_flip_price says which close would change it next.
- get_flip_history lists past changes with the conditions that held; get_flip_statistics says how long states lasted and what price did afterwards.
- The three intervals may disagree: the longer one is the background, the shorter one the timing. get_trend_state shows all three with an agreement score.
- A state describes the present trend. It is no forecast and no advice.`;
