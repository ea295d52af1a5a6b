import { actAndTell } from './act-and-tell.js';
import { actionButton } from './action-button.js';
import { ago, ahead } from './durations.js';
import { byId, element } from './element.js';
import { fillTable, type Column } from './fill-table.js';
import type { ShownCluster } from './shown-cluster.js';

const columns: Column[] = [
  { title: 'schedule' },
  { title: 'pattern, UTC' },
  { title: 'last run' },
  { title: 'outcome' },
  { title: 'next run' },
  { title: 'note', className: 'wide' },
  { title: 'action', className: 'action' },
];

const outcomeClass = { done: 'good', failed: 'bad', interrupted: 'warn', running: 'warn' };

/** Shows the schedules, each with a button that starts it now. */
export function showSchedules({ schedules, at }: ShownCluster, refresh: () => Promise<void>): void {
  const rows = schedules.map(({ name, summary, pattern, nextRunAt, lastRun }) => ({
    key: name,
    cells: [
      element('span', name, { title: summary }),
      element('code', pattern),
      lastRun ? ago(lastRun.startedAt, at) : 'never',
      lastRun ? element('span', lastRun.outcome, { className: outcomeClass[lastRun.outcome] }) : '–',
      nextRunAt === null ? 'not set up' : ahead(nextRunAt, at),
      lastRun === null || lastRun.note === '' ? summary : lastRun.note,
      runNow(name, refresh),
    ],
  }));
  fillTable(byId('schedules'), columns, rows);
}

const runNow = (name: string, refresh: () => Promise<void>): HTMLElement =>
  actionButton({
    text: 'Run now',
    label: `Run now: ${name}`,
    async act() {
      await actAndTell({
        path: '/operator/schedules/run',
        body: { name },
        tellIn: 'schedules-result',
        subject: name,
        done: () => 'started',
      });
      await refresh();
    },
  });
