import { ago } from './durations.js';
import { byId, element } from './element.js';
import { callService } from './service.js';
import type { DeadJob, ShownCluster } from './shown-cluster.js';

/** The shown items by dead job and number of failures. They are reused, so that an open one stays open. */
const shownItems = new Map<string, HTMLElement>();

/** Shows the dead jobs. `refresh` is called after a job has been retried or dropped. */
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
  byId('dead-title').textContent = `Dead jobs (${dead.length})`;
}

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
      element('pre', JSON.stringify(payload, null, 2), { tabindex: '0' }),
      element('pre', error.stack ?? 'no stack', { tabindex: '0' }),
    ]),
  ]);
}

function buttonsOf({ id, name, complete }: DeadJob, refresh: () => Promise<void>): HTMLElement[] {
  const retry = element('button', 'Retry', { type: 'button', 'aria-label': `Retry ${name} ${id}` });
  const drop = element('button', 'Drop', { type: 'button', 'aria-label': `Drop ${name} ${id}` });
  const tell = (text: string) => (byId('dead-result').textContent = `${name}: ${text}`);
  const act = async (path: string, done: string): Promise<void> => {
    retry.disabled = drop.disabled = true;
    tell('…');
    try {
      await callService(path, { id });
      tell(done);
    } catch (error) {
      tell((error as Error).message);
      retry.disabled = !complete;
      drop.disabled = false;
    }
    await refresh();
  };
  retry.disabled = !complete;
  retry.addEventListener('click', () => void act('/operator/dead-letters/retry', 'succeeded'));
  drop.addEventListener('click', () => void act('/operator/dead-letters/drop', 'deleted'));
  return [retry, drop];
}
