import { useEffect } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { column, type TableColumn } from '../../parts/data-table.js';
import { inFull, type ShownFigure, inUnit } from '../../parts/formats.js';
import { TablePanel } from '../../parts/table-panel.js';
import { SparkLine } from '../../parts/marks.js';

interface KindOfWork {
  kind: string;
  figures: RoutePayload<'GET /operator/activity'>['minutes'][number]['requests'][];
}

const msText = (ms: ShownFigure): string => inUnit(inFull(ms), 'ms');

const columns: readonly TableColumn<KindOfWork>[] = [
  column.word('What', 'kind', 'start'),
  column.figure('All', ({ figures }) => sum(figures.map(({ count }) => count)), inFull, 'end'),
  column.figure('Failed', ({ figures }) => sum(figures.map(({ failed }) => failed)), inFull, 'below'),
  column.word('Per minute', ({ figures }) => <SparkLine values={figures.map(({ count }) => count)} />),
  column.figure('Half within', ({ figures }) => latest(figures)?.p50Ms, msText),
  column.figure('99 % within', ({ figures }) => latest(figures)?.p99Ms, msText, 'below-end'),
  column.word('Latency, 99 %', ({ figures }) => <SparkLine values={figures.map(({ p99Ms }) => p99Ms)} />),
];

const kinds = ['requests', 'jobs'] as const;

/** Requests and jobs of the last hour, by minute. */
export function Activity() {
  const answer = useAnswer('GET /operator/activity', {});
  useEffect(() => {
    const timer = setInterval(() => answer.again(), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <TablePanel
      title="The last hour"
      answer={answer}
      size={6}
      caption="The last hour"
      rows={({ minutes }) => kinds.map((kind) => ({ kind, figures: minutes.map((minute) => minute[kind]) }))}
      keyOf="kind"
      columns={columns}
    />
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const latest = (figures: KindOfWork['figures']) => figures.findLast(({ count }) => count > 0);
