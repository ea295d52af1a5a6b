import type { ListAuditOutput } from '../../../../operations/account/list-audit.js';
import { html, type Html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { shownTime } from '../../shown-time.js';
import { eventWords } from './event-words.js';

/** Browsers by what their User-Agent contains; the first that fits, since each names others as well. */
const browsers: readonly [name: string, version: RegExp][] = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chrome', /\b(?:Headless)?Chrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*Safari\//],
];

const systems: readonly [name: string, sign: RegExp][] = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux|X11/],
];

/** A User-Agent in a few words: `Firefox 147 on Linux`; what is no known browser stays as it is, shortened. */
export function clientWords(client: string): string {
  if (!client.startsWith('Mozilla/')) return client.length > 60 ? `${client.slice(0, 60)}…` : client;
  const system = systems.find(([, sign]) => sign.test(client))?.[0] ?? 'an unknown system';
  for (const [name, pattern] of browsers) {
    const version = pattern.exec(client)?.[1];
    if (version !== undefined) return `${name} ${version} on ${system}`;
  }
  return `a browser on ${system}`;
}

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
