import { useEffect } from 'preact/hooks';
import { useAnswer } from '../../client/use-answer.js';
import { DataTable } from '../../parts/data-table.js';
import { numberText } from '../../parts/formats.js';
import { Panel } from '../../parts/panel.js';
import { SparkLine } from '../../parts/spark-line.js';

const kinds = ['requests', 'jobs'] as const;

/** Requests and jobs of the last hour, by minute. */
export function Activity() {
  const answer = useAnswer('GET /operator/activity', {});
  useEffect(() => {
    const timer = setInterval(() => answer.again(), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Panel title="The last hour" answer={answer} size={6}>
      {({ minutes }) => (
        <DataTable
          caption="The last hour"
          rows={kinds.map((kind) => ({ kind, figures: minutes.map((minute) => minute[kind]) }))}
          keyOf={({ kind }) => kind}
          columns={[
            { name: 'kind', title: 'What', narrow: 'start', cell: ({ kind }) => kind },
            {
              name: 'count',
              title: 'All',
              isNumber: true,
              narrow: 'end',
              cell: ({ figures }) => numberText(sum(figures.map(({ count }) => count)), 0),
            },
            {
              name: 'failed',
              title: 'Failed',
              isNumber: true,
              narrow: 'below',
              cell: ({ figures }) => `${numberText(sum(figures.map(({ failed }) => failed)), 0)} failed`,
            },
            {
              name: 'minutes',
              title: 'Per minute',
              cell: ({ figures }) => <SparkLine values={figures.map(({ count }) => count)} />,
            },
            {
              name: 'p50',
              title: 'Half within',
              isNumber: true,
              cell: ({ figures }) => msText(figures.findLast(({ count }) => count > 0)?.p50Ms),
            },
            {
              name: 'p99',
              title: '99 % within',
              isNumber: true,
              narrow: 'below-end',
              cell: ({ figures }) => msText(figures.findLast(({ count }) => count > 0)?.p99Ms),
            },
            {
              name: 'slow',
              title: 'Latency, 99 %',
              cell: ({ figures }) => <SparkLine values={figures.map(({ p99Ms }) => p99Ms)} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const msText = (ms: number | null | undefined): string =>
  ms === null || ms === undefined ? '–' : `${numberText(ms, 0)} ms`;
