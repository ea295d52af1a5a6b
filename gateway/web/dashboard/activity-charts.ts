import { byId, element } from './element.js';
import { historyChart, type ChartSeries } from './history-chart.js';
import type { ShownActivity, ShownFigures } from './shown-activity.js';

/** Shows throughput and latency of the last hour, of requests and of jobs. */
export function showActivity({ minutes }: ShownActivity): void {
  const kinds = [
    ['Requests', minutes.map(({ requests }) => requests)],
    ['Jobs', minutes.map(({ jobs }) => jobs)],
  ] as const;
  byId('charts').replaceChildren(
    ...kinds.flatMap(([title, figures]) => [throughput(title, figures), latency(title, figures)]),
  );
}

function throughput(title: string, figures: readonly ShownFigures[]): HTMLElement {
  const series: ChartSeries[] = [
    { name: 'all', shape: 'bars', className: 'all', values: figures.map(({ count }) => count) },
    { name: 'failed', shape: 'bars', className: 'failed', values: figures.map(({ failed }) => failed) },
  ];
  const total = sum(figures.map(({ count }) => count));
  const failed = sum(figures.map((each) => each.failed));
  const most = Math.max(...figures.map(({ count }) => count));
  const text = `${whole(total)} in the last hour, ${whole(failed)} failed; at most ${whole(most)} a minute`;
  return figure(`${title} per minute`, text, series, most);
}

function latency(title: string, figures: readonly ShownFigures[]): HTMLElement {
  const series: ChartSeries[] = [
    { name: '99 %', shape: 'line', className: 'p99', values: figures.map(({ p99Ms }) => p99Ms) },
    { name: 'half', shape: 'line', className: 'p50', values: figures.map(({ p50Ms }) => p50Ms) },
  ];
  const most = Math.max(0, ...figures.map(({ p99Ms }) => p99Ms ?? 0));
  const last = figures.findLast(({ count }) => count > 0);
  const text = last
    ? `last: half within ${duration(last.p50Ms)}, 99 % within ${duration(last.p99Ms)}; at most ${duration(most)}`
    : 'nothing in the last hour';
  return figure(`${title.replace(/s$/, '')} latency`, text, series, most);
}

const figure = (title: string, text: string, series: readonly ChartSeries[], most: number): HTMLElement =>
  element('figure', [
    element('figcaption', [
      element('span', [element('strong', title), ...series.map(chartKey)]),
      element('span', text, { className: 'quiet' }),
    ]),
    historyChart(series, most, `${title}: ${text}`),
  ]);

/** Names a series in its colour. */
const chartKey = ({ name, className }: ChartSeries): HTMLElement =>
  element('span', name, { className: `key ${className}` });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const whole = (count: number): string => count.toLocaleString('en');
const duration = (ms: number | null): string =>
  ms === null ? '–' : ms < 1_000 ? `${Number(ms.toPrecision(2))} ms` : `${(ms / 1_000).toFixed(1)} s`;
