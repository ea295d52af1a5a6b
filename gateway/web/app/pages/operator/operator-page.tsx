import { useState, useEffect } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { column, type TableColumn } from '../../parts/data-table.js';
import { inFull, inUnit, numberText, shareText, type ShownFigure, unknownMark } from '../../parts/formats.js';
import { PageHead, Panel } from '../../parts/page.js';
import { Time, SparkLine } from '../../parts/marks.js';
import { TablePanel } from '../../parts/table-panel.js';
import { actionColumn } from '../../parts/dialogs.js';
import { DeadJobs } from './dead-jobs.js';

type Cluster = RoutePayload<'GET /operator/cluster'>;

/** The state of the cluster, for operators: processes, queues, running and dead jobs, schedules, the last hour. */
export function OperatorPage() {
  const answer = useAnswer('GET /operator/cluster', {}, ['cluster']);
  const [said, say] = useState('');
  const part = { answer, size: 10 };
  return (
    <>
      <PageHead title="Operation">
        {answer.data && (
          <span class="quiet">
            as of <Time at={answer.data.at} to="second" />
          </span>
        )}
      </PageHead>
      <p role="status">{said}</p>
      <TablePanel title="Processes" {...part} rows={({ nodes }) => nodes} keyOf="id" columns={nodeColumns} />
      <TablePanel
        title="Queues"
        {...part}
        rows={({ queues }) => queues}
        keyOf="name"
        columns={queueColumns}
      />
      <Activity />
      <TablePanel<Cluster, Cluster['jobs'][number]>
        title="Running jobs"
        {...part}
        rows={({ jobs }) => jobs}
        keyOf="id"
        empty="No job is running."
        columns={[
          column.word(
            'Job',
            ({ name, phase, fraction }) =>
              `${name} ${fraction === null ? '' : shareText(fraction * 100)} ${phase ?? ''}`,
            'start',
          ),
          column.figure('Running', 'ms', secondsText, 'below'),
          column.word('Node', 'node'),
          actionColumn('Action', ({ id, name }) => ({
            route: 'POST /operator/jobs/cancel',
            input: { id },
            verb: 'Cancel',
            verbNow: 'Cancel the job now',
            label: `Cancel ${name} ${id}`,
            question: `Cancel this run of ${name}? Everybody who waits for it gets an error.`,
            onDone: () => say(`${name} was cancelled`),
          })),
        ]}
      />
      <Panel title="Dead jobs" {...part}>
        {({ dead }) => <DeadJobs dead={dead} onDone={say} />}
      </Panel>
      <TablePanel<Cluster, Cluster['schedules'][number]>
        title="Schedules"
        {...part}
        rows={({ schedules }) => schedules}
        keyOf="name"
        columns={[
          column.word('Schedule', ({ name, summary }) => <span title={summary}>{name}</span>, 'start'),
          column.word('When', 'pattern'),
          column.time('Next', 'nextRunAt', 'below'),
          column.word('Last run', ({ lastRun }) => lastRunOf(lastRun), 'below-end'),
          actionColumn('Action', ({ name, summary }) => ({
            route: 'POST /operator/schedules/run',
            input: { name },
            verb: 'Run now',
            label: `Run now: ${name}`,
            question: summary,
            onDone: () => say(`${name} was started`),
          })),
        ]}
      />
    </>
  );
}

const secondsText = (ms: ShownFigure): string => inUnit(numberText(ms && Number(ms) / 1_000, 1), 's');

const failing = (what: string | number) => <span class="fault">✗ {what}</span>;

const nodeColumns: readonly TableColumn<Cluster['nodes'][number]>[] = [
  column.word('Role', 'role', 'start'),
  column.word('State', ({ lost }) => (lost ? failing('lost') : '✓ alive'), 'end'),
  column.word('Host', ({ host, pid }) => `${host}:${pid}`, 'below'),
  column.word('Version', 'version'),
  column.word('Busy threads', ({ threads, busy }) =>
    threads
      ? `${busy?.interactive ?? 0} of ${threads.interactive} short, ${busy?.background ?? 0} of ${threads.background} long`
      : unknownMark,
  ),
  column.figure('Running', 'running', inFull),
  column.figure('CPU', ({ load }) => load.cpu * 100, shareText, 'below-end'),
  column.figure('Event loop', ({ load }) => load.eventLoop * 100, shareText),
  column.time('Started', 'startedAt'),
  column.time('Last heard', 'lastHeartbeat', undefined, 'second'),
  column.word('Queues', ({ queues }) => <span title={queues.join(', ')}>{queues.length}</span>),
];

const queueColumns: readonly TableColumn<Cluster['queues'][number]>[] = [
  column.word('Queue', 'name', 'start'),
  column.figure('Workers', 'nodes', (nodes) => (nodes === 0 ? failing('none') : nodes), 'below'),
  column.figure('Waiting', 'waiting', inFull, 'end'),
  column.figure('Running', 'active', inFull),
  column.figure('Delayed', 'delayed', inFull),
  column.figure('Dead jobs', 'failed', (failed) => (failed ? failing(failed) : 0), 'below-end'),
  column.figure('Longest wait', 'oldestWaitMs', secondsText),
];

const lastRunOf = (run: Cluster['schedules'][number]['lastRun']) =>
  run ? <span title={run.note}>{(run.outcome === 'failed' ? '✗ ' : '') + run.outcome}</span> : 'never';

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
function Activity() {
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
      rows={({ minutes }) => kinds.map((kind) => ({ kind, figures: minutes.map((minute) => minute[kind]) }))}
      keyOf="kind"
      columns={columns}
    />
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const latest = (figures: KindOfWork['figures']) => figures.findLast(({ count }) => count > 0);
