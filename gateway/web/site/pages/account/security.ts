import { changePassword } from '../../../../operations/account/change-password.js';
import { listAudit, type ListAuditOutput } from '../../../../operations/account/list-audit.js';
import { html, type Html } from '../../../html.js';
import { formMarkup } from '../../form-markup.js';
import { definePage, definePageForm, type PageRequest } from '../../page.js';
import { accountView } from './account-view.js';
import { eventTable } from './event-table.js';

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
    {
      name: 'newPassword',
      label: 'New password',
      kind: 'password',
      autocomplete: 'new-password',
      hint: 'At least 8 characters; longer is better.',
      fault: 'Enter a password of 8 to 1,024 bytes.',
    },
  ],
  done: () => ({ to: '/account/security', notice: 'password-changed' }),
});

const eventsOnPage = 25;

function events(found: ListAuditOutput): Html {
  const { nextCursor } = found;
  if (found.events.length === 0) return html`<p class="quiet">Nothing has happened yet.</p>`;
  const older = `/account/security?after=${encodeURIComponent(nextCursor ?? '')}#events`;
  return html`${eventTable(found)}
  ${nextCursor === null ? '' : html`<p><a href="${older}">Older events</a></p>`}`;
}

const auditOf = (request: PageRequest) => {
  const { after } = request.query;
  return request.run(listAudit, { limit: eventsOnPage, ...(after === undefined ? {} : { cursor: after }) });
};

/** The password, and what happened to the account. */
export const securityPage = definePage({
  path: '/account/security',
  scope: 'user',
  forms: [passwordForm],
  async render(request) {
    const found = await auditOf(request);
    return accountView(request, {
      title: 'Security',
      body: html`<h2 id="password">Change the password</h2>
        <p>
          All other sessions end, and all connected apps are disconnected. Personal access tokens go on
          working:
          <a href="/account/tokens">revoke</a> those that you do not know.
        </p>
        ${formMarkup(passwordForm, request, { submit: 'Change the password', heading: 'The password was not changed' })}
        <h2 id="events">Events</h2>
        ${events(found)}`,
    });
  },
});
