export const chartIntervals = ['1h', '4h', '1d'] as const;

/** How long a candle of a chart is. */
export type ChartInterval = (typeof chartIntervals)[number];
