import type { EquityChartProps } from './equity-chart.js';
import type { PriceChartProps } from './price-chart.js';
import { lazily } from '../parts/lazily.js';
import { Waiting } from '../parts/states.js';

/** The charts, which are loaded when the first one is shown. */
export const LazyPriceChart = lazily<PriceChartProps>(
  async () => (await import('./price-chart.js')).PriceChart,
  <Waiting rem={30} />,
);

export const LazyEquityChart = lazily<EquityChartProps>(
  async () => (await import('./equity-chart.js')).EquityChart,
  <Waiting rem={34} />,
);
