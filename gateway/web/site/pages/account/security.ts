import { changePassword } from '../../../../operations/account/passwords.js';
import { listAudit, type ListAuditOutput } from '../../../../operations/account/list-audit.js';
import { auditEvents, type AuditEventName } from '../../../../../storage/users/audit-event.js';
import { html, type Html } from '../../../html.js';
import { fieldMarkup, type FormField } from '../../form-field.js';
import { formMarkup } from '../../form-markup.js';
import { definePageForm, type PageRequest } from '../../page.js';
import { newPasswordField } from '../credential-fields.js';
import { accountPage } from './account-view.js';
import { eventTable } from './event-table.js';
import { eventWords } from './event-words.js';

const passwordForm = definePageForm({
  name: 'change-password',
  operation: changePassword,
  fields: [
    {
      name: 'currentPassword',
      label: 'Current password',
      kind: 'password',
      autocomplete: 'current-password',
    },
    newPasswordField('newPassword', 'New password'),
  ],
  done: () => ({ to: '/account/security', notice: 'password-changed' }),
});

const eventsOnPage = 25;

/** The kind of events that is asked for: others, such as failed sign-ins of strangers, must not hide it. Undefined for all. */
const kindOf = ({ query }: PageRequest): AuditEventName | undefined =>
  auditEvents.find((each) => each === query.event);

const kindField: FormField = {
  name: 'event',
  label: 'Show',
  kind: 'select',
  choices: [
    ['', 'All events'],
    ...auditEvents
      .filter((event) => event !== 'client_registered' && event !== 'account_removed')
      .map((event) => [event, eventWords(event, {})] as const),
  ],
};

const kindForm = (request: PageRequest): Html =>
  html`<form method="get" action="/account/security#events">
    ${fieldMarkup('events', kindField, { value: kindOf(request) ?? '', fault: null })}
    <p class="actions"><button class="plain">Show</button></p>
  </form>`;

function events(found: ListAuditOutput, request: PageRequest): Html {
  const { nextCursor } = found;
  if (found.events.length === 0) return html`<p class="quiet">There are no such events.</p>`;
  const kind = kindOf(request);
  const older = new URLSearchParams({ ...(kind ? { event: kind } : {}), after: nextCursor ?? '' }).toString();
  return html`${eventTable(found)}
  ${nextCursor === null ? '' : html`<p><a href="/account/security?${older}#events">Older events</a></p>`}`;
}

const auditOf = (request: PageRequest) => {
  const { after } = request.query;
  const event = kindOf(request);
  return request.run(listAudit, {
    limit: eventsOnPage,
    ...(event === undefined ? {} : { event }),
    ...(after === undefined ? {} : { cursor: after }),
  });
};

/** The password, and what happened to the account. */
export const securityPage = accountPage({
  path: '/account/security',
  title: 'Security',
  forms: [passwordForm],
  body: async (request) =>
    html`<h2 id="password">Change the password</h2>
      <p>
        All other sessions end, and all connected apps are disconnected. Personal access tokens go on working:
        <a href="/account/tokens">revoke</a> those that you do not know.
      </p>
      ${formMarkup(passwordForm, request, { submit: 'Change the password', heading: 'The password was not changed' })}
      <h2 id="events">Events</h2>
      ${kindForm(request)} ${events(await auditOf(request), request)}`,
});
