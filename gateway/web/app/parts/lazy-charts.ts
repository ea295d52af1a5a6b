import type { EquityChartProps } from '../charts/equity-chart.js';
import type { PriceChartProps } from '../charts/price-chart.js';
import { lazily } from './lazily.js';

/** The charts, which are loaded when the first one is shown. */
export const LazyPriceChart = lazily<PriceChartProps>(
  async () => (await import('../charts/price-chart.js')).PriceChart,
  30,
);

export const LazyEquityChart = lazily<EquityChartProps>(
  async () => (await import('../charts/equity-chart.js')).EquityChart,
  34,
);
