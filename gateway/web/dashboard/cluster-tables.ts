import { ago } from './durations.js';
import { byId, element } from './element.js';
import { fillTable, type Column } from './fill-table.js';
import { keepEqual } from './keep-equal.js';
import type { ShownCluster } from './shown-cluster.js';

/** Shows the totals and the tables of processes and queues. */
export function showClusterTables(cluster: ShownCluster): void {
  showTotals(cluster);
  showNodes(cluster);
  showQueues(cluster);
}

function showTotals({ nodes, queues, dead }: ShownCluster): void {
  const alive = nodes.filter(({ lost }) => !lost);
  const lost = nodes.length - alive.length;
  const threads = alive.map((node) => node.threads?.interactive ?? 0);
  const totals: [value: number, title: string, isBad?: boolean][] = [
    [alive.length, lost === 0 ? 'processes' : `processes, ${lost} lost`, lost > 0],
    [sum(threads), 'threads for short work'],
    [sum(queues.map(({ waiting }) => waiting)), 'jobs waiting'],
    [sum(queues.map(({ active }) => active)), 'jobs running'],
    [dead.length, 'dead jobs', dead.length > 0],
  ];
  const items = totals.map(([value, title, isBad]) =>
    element('li', [element('strong', value, { className: isBad ? 'bad' : '' }), title]),
  );
  const list = byId('totals');
  if (list.children.length === items.length) keepEqual(list, element('ul', items));
  else list.replaceChildren(...items);
}

const nodeColumns: Column[] = [
  { title: 'role' },
  { title: 'state' },
  { title: 'host' },
  { title: 'version' },
  { title: 'busy threads' },
  { title: 'running', className: 'number' },
  { title: 'CPU', className: 'number' },
  { title: 'event loop' },
  { title: 'started' },
  { title: 'last heartbeat' },
  { title: 'queues', className: 'wide' },
];

function showNodes({ nodes, at }: ShownCluster): void {
  const rows = nodes.map((node) => ({
    key: `${node.host}:${node.pid} ${node.startedAt}`,
    cells: [
      node.role,
      node.lost
        ? element('span', 'lost', { className: 'bad' })
        : element('span', 'alive', { className: 'good' }),
      `${node.host}:${node.pid}`,
      node.version,
      busyThreads(node),
      node.running,
      percent(node.load.cpu),
      meter(node.load.eventLoop),
      ago(node.startedAt, at),
      ago(node.lastHeartbeat, at),
      node.queues.length === 0 ? '–' : node.queues.join(', '),
    ],
  }));
  fillTable(byId('nodes'), nodeColumns, rows);
}

function busyThreads({ threads, busy }: ShownCluster['nodes'][number]): string {
  if (threads === null) return '–';
  const short = `${busy?.interactive ?? 0} of ${threads.interactive} short`;
  return `${short}, ${busy?.background ?? 0} of ${threads.background} long`;
}

const queueColumns: Column[] = [
  { title: 'queue' },
  { title: 'workers', className: 'number' },
  { title: 'waiting', className: 'number' },
  { title: 'running', className: 'number' },
  { title: 'delayed', className: 'number' },
  { title: 'dead jobs', className: 'number' },
  { title: 'longest wait', className: 'number' },
];

function showQueues({ queues }: ShownCluster): void {
  const bad = (text: string | number) => element('span', text, { className: 'bad' });
  const rows = queues.map(({ name, nodes, waiting, active, delayed, failed, oldestWaitMs }) => ({
    key: name,
    cells: [
      name,
      nodes > 0 ? nodes : bad('none'),
      waiting,
      active,
      delayed,
      failed > 0 ? bad(failed) : failed,
      oldestWaitMs === null ? '–' : `${(oldestWaitMs / 1_000).toFixed(1)} s`,
    ],
  }));
  fillTable(byId('queues'), queueColumns, rows);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function meter(share: number): HTMLElement {
  const text = percent(share);
  const bar = element('meter', text, {
    min: 0,
    max: 1,
    high: 0.85,
    value: Math.min(1, share),
    'aria-label': 'event loop',
  });
  return element('span', [bar, text]);
}
