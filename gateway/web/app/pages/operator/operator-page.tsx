import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { DataTable, figureColumn, type TableColumn, timeColumn, wordColumn } from '../../parts/data-table.js';
import { inFull, inUnit, numberText, shareText, type ShownFigure, unknownMark } from '../../parts/formats.js';
import { PageHead, Panel } from '../../parts/page.js';
import { Time } from '../../parts/marks.js';
import { Activity } from './activity.js';
import { actionColumn } from '../../parts/dialogs.js';
import { DeadJobs } from './dead-jobs.js';

type Cluster = RoutePayload<'GET /operator/cluster'>;

/** The state of the cluster, for operators: processes, queues, running and dead jobs, schedules, the last hour. */
export function OperatorPage() {
  const answer = useAnswer('GET /operator/cluster', {}, ['cluster']);
  const [said, say] = useState('');
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
      <Panel title="Processes" answer={answer} size={10}>
        {({ nodes }) => <DataTable caption="Processes" rows={nodes} keyOf="id" columns={nodeColumns} />}
      </Panel>
      <Panel title="Queues" answer={answer} size={10}>
        {({ queues }) => <DataTable caption="Queues" rows={queues} keyOf="name" columns={queueColumns} />}
      </Panel>
      <Activity />
      <Panel title="Running jobs" answer={answer} size={4}>
        {({ jobs }) => (
          <DataTable<Cluster['jobs'][number]>
            caption="Running jobs"
            rows={jobs}
            keyOf="id"
            empty="No job is running."
            columns={[
              wordColumn(
                'Job',
                ({ name, phase, fraction }) =>
                  `${name} ${fraction === null ? '' : shareText(fraction * 100)} ${phase ?? ''}`,
                'start',
              ),
              figureColumn('Running', 'ms', secondsText, 'below'),
              wordColumn('Node', 'node'),
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
        )}
      </Panel>
      <Panel title="Dead jobs" answer={answer} size={4}>
        {({ dead }) => <DeadJobs dead={dead} onDone={say} />}
      </Panel>
      <Panel title="Schedules" answer={answer} size={10}>
        {({ schedules }) => (
          <DataTable<Cluster['schedules'][number]>
            caption="Schedules"
            rows={schedules}
            keyOf="name"
            columns={[
              wordColumn('Schedule', ({ name, summary }) => <span title={summary}>{name}</span>, 'start'),
              wordColumn('When', 'pattern'),
              timeColumn('Next', 'nextRunAt', 'below'),
              wordColumn('Last run', ({ lastRun }) => lastRunOf(lastRun), 'below-end'),
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
        )}
      </Panel>
    </>
  );
}

const secondsText = (ms: ShownFigure): string => inUnit(numberText(ms && Number(ms) / 1_000, 1), 's');

const failing = (what: string | number) => <span class="fault">✗ {what}</span>;

const nodeColumns: readonly TableColumn<Cluster['nodes'][number]>[] = [
  wordColumn('Role', 'role', 'start'),
  wordColumn('State', ({ lost }) => (lost ? failing('lost') : '✓ alive'), 'end'),
  wordColumn('Host', ({ host, pid }) => `${host}:${pid}`, 'below'),
  wordColumn('Version', 'version'),
  wordColumn('Busy threads', ({ threads, busy }) =>
    threads
      ? `${busy?.interactive ?? 0} of ${threads.interactive} short, ${busy?.background ?? 0} of ${threads.background} long`
      : unknownMark,
  ),
  figureColumn('Running', 'running', inFull),
  figureColumn('CPU', ({ load }) => load.cpu * 100, shareText, 'below-end'),
  figureColumn('Event loop', ({ load }) => load.eventLoop * 100, shareText),
  timeColumn('Started', 'startedAt'),
  timeColumn('Last heard', 'lastHeartbeat', undefined, 'second'),
  wordColumn('Queues', ({ queues }) => <span title={queues.join(', ')}>{queues.length}</span>),
];

const queueColumns: readonly TableColumn<Cluster['queues'][number]>[] = [
  wordColumn('Queue', 'name', 'start'),
  figureColumn('Workers', 'nodes', (nodes) => (nodes === 0 ? failing('none') : nodes), 'below'),
  figureColumn('Waiting', 'waiting', inFull, 'end'),
  figureColumn('Running', 'active', inFull),
  figureColumn('Delayed', 'delayed', inFull),
  figureColumn('Dead jobs', 'failed', (failed) => (failed ? failing(failed) : 0), 'below-end'),
  figureColumn('Longest wait', 'oldestWaitMs', secondsText),
];

const lastRunOf = (run: Cluster['schedules'][number]['lastRun']) =>
  run ? <span title={run.note}>{(run.outcome === 'failed' ? '✗ ' : '') + run.outcome}</span> : 'never';
