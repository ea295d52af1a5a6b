import { actAndTell } from './act-and-tell.js';
import { actionButton } from './action-button.js';
import { ago } from './durations.js';
import { byId, element } from './element.js';
import type { DeadJob, ShownCluster } from './shown-cluster.js';

/** The shown items by dead job and number of failures. They are reused, so that an open one stays open. */
const shownItems = new Map<string, HTMLElement>();
const tellIn = 'dead-result';

/** Shows the dead jobs. `refresh` is called after jobs have been retried or dropped. */
export function showDeadJobs({ dead, at }: ShownCluster, refresh: () => Promise<void>): void {
  const list = byId('dead');
  const wanted = new Set(dead.map(keyOf));
  for (const [key, item] of shownItems) if (!wanted.has(key)) item.remove();
  for (const key of shownItems.keys()) if (!wanted.has(key)) shownItems.delete(key);
  dead.forEach((job, n) => {
    const item = shownItems.get(keyOf(job)) ?? itemOf(job, refresh);
    shownItems.set(keyOf(job), item);
    item.querySelector('.when')!.textContent = ago(job.at, at);
    if (list.children[n] !== item) list.insertBefore(item, list.children[n] ?? null);
  });
  byId('dead-count').textContent = String(dead.length);
  byId('dead-all').hidden = dead.length === 0;
}

/** Puts the buttons for all dead jobs on the page. */
export function addDeadJobButtons(refresh: () => Promise<void>): void {
  const retry = actionButton({
    text: 'Retry all',
    label: 'Retry all dead jobs',
    async act() {
      await retryAll();
      await refresh();
    },
  });
  const drop = actionButton({
    text: 'Drop all',
    label: 'Drop all dead jobs',
    question: 'Drop all dead jobs? They are deleted and cannot be retried.',
    async act() {
      await actAndTell<{
        dropped: number;
      }>({
        path: '/operator/dead-letters/drop',
        body: { id: 'all' },
        tellIn,
        subject: 'all',
        done: ({ dropped }) => `${dropped} deleted`,
      });
      await refresh();
    },
  });
  byId('dead-all').replaceChildren(retry, drop);
}

interface RetriedJobs {
  retried: number;
  failed: number;
  incomplete: number;
  left: number;
}

const retryAll = (): Promise<RetriedJobs | null> =>
  actAndTell<RetriedJobs>({
    path: '/operator/dead-letters/retry-all',
    body: {},
    tellIn,
    subject: 'all',
    done: ({ retried, failed, incomplete, left }) =>
      [
        `${retried} succeeded`,
        ...(failed > 0 ? [`${failed} failed again`] : []),
        ...(incomplete > 0 ? [`${incomplete} cannot run again`] : []),
        ...(left > 0 ? [`${left} left: press again`] : []),
      ].join(', '),
  });

const keyOf = ({ id, times }: DeadJob): string => `${id} ${times}`;

function itemOf(job: DeadJob, refresh: () => Promise<void>): HTMLElement {
  const { id, queue, name, error, payload, traceId, attempts, times, node, at } = job;
  const about = [
    `${queue}, ${times} × failed, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, on ${node}, `,
    element('span', '', { className: 'when', title: at }),
    `, trace ${traceId}, id ${id}`,
  ];
  const head = [
    element('strong', name),
    element('code', error.code, { className: 'bad' }),
    element('span', buttonsOf(job, refresh), { className: 'buttons' }),
  ];
  return element('li', [
    element('div', head, { className: 'head' }),
    element('p', error.message),
    element('p', about, { className: 'quiet' }),
    element('details', [
      element('summary', 'Payload and stack'),
      element('pre', JSON.stringify(payload, null, 2), {
        tabindex: '0',
        role: 'region',
        'aria-label': 'payload',
      }),
      element('pre', error.stack ?? 'no stack', { tabindex: '0', role: 'region', 'aria-label': 'stack' }),
    ]),
  ]);
}

function buttonsOf({ id, name, complete }: DeadJob, refresh: () => Promise<void>): HTMLElement[] {
  const act = async (path: string, done: string): Promise<void> => {
    await actAndTell({ path, body: { id }, tellIn, subject: name, done: () => done });
    await refresh();
  };
  const retry = actionButton({
    text: 'Retry',
    label: `Retry ${name} ${id}`,
    isDisabled: !complete,
    act: () => act('/operator/dead-letters/retry', 'succeeded'),
  });
  const drop = actionButton({
    text: 'Drop',
    label: `Drop ${name} ${id}`,
    question: `Drop this dead job ${name}? It is deleted and cannot be retried.`,
    act: () => act('/operator/dead-letters/drop', 'deleted'),
  });
  return [retry, drop];
}
