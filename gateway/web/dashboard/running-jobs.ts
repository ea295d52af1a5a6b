import { actAndTell } from './act-and-tell.js';
import { actionButton } from './action-button.js';
import { byId, element } from './element.js';
import { fillTable, type Column } from './fill-table.js';
import type { ShownCluster, ShownJob } from './shown-cluster.js';

const columns: Column[] = [
  { title: 'job' },
  { title: 'progress' },
  { title: 'running', className: 'number' },
  { title: 'node' },
  { title: 'request' },
  { title: 'action', className: 'action' },
];

/** Shows the running jobs, each with a button that cancels it. */
export function showRunningJobs({ jobs }: ShownCluster, refresh: () => Promise<void>): void {
  const rows = jobs.map((job) => ({
    key: job.id,
    cells: [
      job.name,
      progressOf(job),
      `${(job.ms / 1_000).toFixed(1)} s`,
      job.node,
      job.traceId,
      cancel(job, refresh),
    ],
  }));
  fillTable(byId('jobs'), columns, rows);
}

function progressOf({ name, phase, fraction }: ShownJob): Node | string {
  if (fraction === null) return '–';
  const text = `${Math.round(fraction * 100)} %${phase === null || phase === '' ? '' : ` ${phase}`}`;
  return element('span', [element('progress', text, { value: fraction, max: 1, 'aria-label': name }), text]);
}

const cancel = ({ id, name }: ShownJob, refresh: () => Promise<void>): HTMLElement =>
  actionButton({
    text: 'Cancel',
    label: `Cancel ${name} ${id}`,
    question: `Cancel this run of ${name}? Everybody who waits for it gets an error.`,
    async act() {
      await actAndTell({
        path: '/operator/jobs/cancel',
        body: { id },
        tellIn: 'jobs-result',
        subject: name,
        done: () => 'cancelled',
      });
      await refresh();
    },
  });
