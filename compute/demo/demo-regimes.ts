/** A phase of the demo market. */
export interface DemoRegime {
  /** Drift of Bitcoin in one hour, as a fraction. */
  drift: number;
  /** Standard deviation of Bitcoin's movement in one hour, as a fraction. */
  volatility: number;
  /** Mean duration in hours. */
  hours: number;
}

/** The regimes of the demo market: rise, fall, calm and storm. */
export const demoRegimes: readonly DemoRegime[] = [
  { drift: 0.0003, volatility: 0.0042, hours: 500 },
  { drift: -0.0003, volatility: 0.0055, hours: 350 },
  { drift: 0, volatility: 0.003, hours: 400 },
  { drift: -0.0002, volatility: 0.01, hours: 60 },
];

/** Activity of each UTC hour of the day in tenths: Asia, Europe, America. */
const activityByHour = [
  9, 10, 10, 9, 8, 8, 8, 9, 10, 10, 10, 10, 11, 13, 15, 15, 14, 13, 12, 11, 10, 9, 8, 8,
];

/** How active the market is in the hour that opens at `openMs`, as a multiple of a usual hour. */
export function demoActivity(openMs: number): number {
  const date = new Date(openMs);
  const weekend = date.getUTCDay() % 6 === 0;
  return (activityByHour[date.getUTCHours()] / 10) * (weekend ? 0.7 : 1);
}
