import type { ListAuditOutput } from '../../../../operations/account/list-audit.js';
import { html, type Html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { shownTime } from '../../shown-time.js';
import { clientWords } from './client-words.js';
import { eventWords } from './event-words.js';

type ShownEvent = ListAuditOutput['events'][number];

/** Events that differ in their time alone, the newest first. */
type Repeated = [ShownEvent, ...ShownEvent[]];

/** The events of an account as a table; equal ones that follow each other are one row. */
export function eventTable({ events, unlisted }: ListAuditOutput): Html {
  const more = unlisted.map(
    ({ hour, event, count }) =>
      html`<li>
        In the hour from ${shownTime(hour)} there were ${count.toLocaleString('en')} more:
        ${eventWords(event, {})}.
      </li>`,
  );
  const table = dataTable({
    caption: 'What happened to your account in the last 180 days, newest first',
    titles: ['When', 'What', 'Network', 'Client'],
    rows: joined(events).map(row),
  });
  const list =
    more.length === 0
      ? ''
      : html`<ul>
          ${more}
        </ul>`;
  return html`${table} ${list}`;
}

const sameness = ({ event, address, client, details }: ShownEvent): string =>
  JSON.stringify([event, address, client, details]);

function joined(events: readonly ShownEvent[]): Repeated[] {
  const groups: Repeated[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && sameness(last[0]) === sameness(event)) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

function row(group: Repeated): (Html | string)[] {
  const [{ time, event, details, address, client }] = group;
  const what = eventWords(event, details);
  const first = group.at(-1)!.time;
  const times =
    group.length === 1
      ? ''
      : html`<span class="quiet">(${group.length} times since ${shownTime(first)})</span>`;
  return [
    shownTime(time),
    html`<span class="long">${what} ${times}</span>`,
    address ?? '–',
    html`<span class="long">${client === null || client === '' ? '–' : clientWords(client)}</span>`,
  ];
}
