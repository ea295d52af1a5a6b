import { goQuery } from '../shell/route.js';
import { Choice } from './controls.js';
import { prefer, preferences } from './preferences.js';

const chartIntervals = ['1h', '4h', '1d'] as const;

/** How long a candle of a chart is. */
export type ChartInterval = (typeof chartIntervals)[number];

/** The interval that the address names, else the one that was chosen last. */
export const chartInterval = (named: string | null): ChartInterval =>
  chartIntervals.find((each) => each === named) ?? preferences.value.interval;

/** Chooses the interval of the page, and with which the next one begins. */
export const IntervalChoice = ({ value }: { value: ChartInterval }) => (
  <Choice
    label="Interval"
    value={value}
    options={chartIntervals}
    onChange={(interval) => {
      prefer({ interval });
      goQuery({ interval });
    }}
  />
);
