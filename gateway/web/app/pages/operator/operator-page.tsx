import { useState } from 'preact/hooks';
import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { DataTable } from '../../parts/data-table.js';
import { numberText, shareText } from '../../parts/formats.js';
import { PageHead } from '../../parts/page-head.js';
import { Panel } from '../../parts/panel.js';
import { Time } from '../../parts/time.js';
import { Activity } from './activity.js';
import { AskedAction } from '../../parts/asked-action.js';
import { DeadJobs } from './dead-jobs.js';

type Cluster = RoutePayload<'GET /operator/cluster'>;

/** The state of the cluster, for operators: processes, queues, running and dead jobs, schedules, the last hour. */
export function OperatorPage() {
  const answer = useAnswer('GET /operator/cluster', {}, ['cluster']);
  const [said, say] = useState('');
  const done = (text: string) => {
    say(text);
    answer.again();
  };
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
        {({ nodes }) => <Nodes nodes={nodes} />}
      </Panel>
      <Panel title="Queues" answer={answer} size={10}>
        {({ queues }) => <Queues queues={queues} />}
      </Panel>
      <Activity />
      <Panel title="Running jobs" answer={answer} size={4}>
        {({ jobs }) => (
          <DataTable
            caption="Running jobs"
            rows={jobs}
            keyOf={({ id }) => id}
            empty="No job is running."
            columns={[
              {
                name: 'name',
                title: 'Job',
                narrow: 'start',
                cell: ({ name, phase, fraction }) =>
                  `${name} ${fraction === null ? '' : shareText(fraction * 100)} ${phase ?? ''}`,
              },
              {
                name: 'ms',
                title: 'Running',
                isNumber: true,
                narrow: 'below',
                cell: ({ ms }) => `${numberText(ms / 1_000, 1)} s`,
              },
              { name: 'node', title: 'Node', cell: ({ node }) => node },
              {
                name: 'cancel',
                title: 'Action',
                narrow: 'end',
                cell: ({ id, name }) => (
                  <AskedAction
                    route="POST /operator/jobs/cancel"
                    input={{ id }}
                    verb="Cancel"
                    label={`Cancel ${name} ${id}`}
                    question={`Cancel this run of ${name}? Everybody who waits for it gets an error.`}
                    onDone={() => done(`${name} was cancelled`)}
                  />
                ),
              },
            ]}
          />
        )}
      </Panel>
      <Panel title="Dead jobs" answer={answer} size={4}>
        {({ dead }) => <DeadJobs dead={dead} onDone={done} />}
      </Panel>
      <Panel title="Schedules" answer={answer} size={10}>
        {({ schedules }) => <Schedules schedules={schedules} onDone={done} />}
      </Panel>
    </>
  );
}

const Nodes = ({ nodes }: { nodes: Cluster['nodes'] }) => (
  <DataTable
    caption="Processes"
    rows={nodes}
    keyOf={({ id }) => id}
    columns={[
      { name: 'role', title: 'Role', narrow: 'start', by: ({ role }) => role, cell: ({ role }) => role },
      {
        name: 'state',
        title: 'State',
        narrow: 'end',
        cell: ({ lost }) => (lost ? <span class="fault">✗ lost</span> : '✓ alive'),
      },
      { name: 'host', title: 'Host', narrow: 'below', cell: ({ host, pid }) => `${host}:${pid}` },
      { name: 'version', title: 'Version', cell: ({ version }) => version },
      {
        name: 'busy',
        title: 'Busy threads',
        cell: ({ threads, busy }) =>
          threads
            ? `${busy?.interactive ?? 0} of ${threads.interactive} short, ${busy?.background ?? 0} of ${threads.background} long`
            : '–',
      },
      { name: 'running', title: 'Running', isNumber: true, cell: ({ running }) => running },
      {
        name: 'cpu',
        title: 'CPU',
        isNumber: true,
        narrow: 'below-end',
        cell: ({ load }) => shareText(load.cpu * 100),
      },
      {
        name: 'loop',
        title: 'Event loop',
        isNumber: true,
        cell: ({ load }) => shareText(load.eventLoop * 100),
      },
      { name: 'started', title: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
      {
        name: 'heard',
        title: 'Last heard',
        cell: ({ lastHeartbeat }) => <Time at={lastHeartbeat} to="second" />,
      },
      {
        name: 'queues',
        title: 'Queues',
        isNumber: true,
        cell: ({ queues }) => <span title={queues.join(', ')}>{queues.length}</span>,
      },
    ]}
  />
);

const Queues = ({ queues }: { queues: Cluster['queues'] }) => (
  <DataTable
    caption="Queues"
    rows={queues}
    keyOf={({ name }) => name}
    columns={[
      { name: 'name', title: 'Queue', narrow: 'start', cell: ({ name }) => name },
      {
        name: 'nodes',
        title: 'Workers',
        isNumber: true,
        narrow: 'below',
        cell: ({ nodes }) => (nodes > 0 ? `${nodes} workers` : <span class="fault">✗ none</span>),
      },
      {
        name: 'waiting',
        title: 'Waiting',
        isNumber: true,
        narrow: 'end',
        cell: ({ waiting }) => `${waiting} waiting`,
      },
      { name: 'active', title: 'Running', isNumber: true, cell: ({ active }) => active },
      { name: 'delayed', title: 'Delayed', isNumber: true, cell: ({ delayed }) => delayed },
      {
        name: 'failed',
        title: 'Dead jobs',
        isNumber: true,
        narrow: 'below-end',
        cell: ({ failed }) => (failed > 0 ? <span class="fault">✗ {failed} dead</span> : '0 dead'),
      },
      {
        name: 'oldest',
        title: 'Longest wait',
        isNumber: true,
        cell: ({ oldestWaitMs }) =>
          oldestWaitMs === null ? '–' : `${numberText(oldestWaitMs / 1_000, 1)} s`,
      },
    ]}
  />
);

const Schedules = ({
  schedules,
  onDone,
}: {
  schedules: Cluster['schedules'];
  onDone: (text: string) => void;
}) => (
  <DataTable
    caption="Schedules"
    rows={schedules}
    keyOf={({ name }) => name}
    columns={[
      {
        name: 'name',
        title: 'Schedule',
        narrow: 'start',
        cell: ({ name, summary }) => <span title={summary}>{name}</span>,
      },
      { name: 'pattern', title: 'When', cell: ({ pattern }) => pattern },
      { name: 'next', title: 'Next', narrow: 'below', cell: ({ nextRunAt }) => <Time at={nextRunAt} /> },
      {
        name: 'last',
        title: 'Last run',
        narrow: 'below-end',
        cell: ({ lastRun }) =>
          lastRun ? (
            <span
              title={lastRun.note}
            >{`${lastRun.outcome === 'failed' ? '✗ ' : ''}${lastRun.outcome}`}</span>
          ) : (
            'never'
          ),
      },
      {
        name: 'run',
        title: 'Action',
        narrow: 'end',
        cell: ({ name, summary }) => (
          <AskedAction
            route="POST /operator/schedules/run"
            input={{ name }}
            verb="Run now"
            label={`Run now: ${name}`}
            question={summary}
            onDone={() => onDone(`${name} was started`)}
          />
        ),
      },
    ]}
  />
);
