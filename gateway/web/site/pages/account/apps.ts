import { disconnectApp, listApps, type ShownApp } from '../../../../operations/tokens/tokens.js';
import { html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { confirmForm } from '../../form-markup.js';
import type { PageRequest } from '../../page.js';
import { shownTime } from '../../shown-time.js';
import { accountButton, accountPage } from './account-view.js';
import { scopeWords } from '../../../../auth/oauth/scope-words.js';

const disconnectForm = accountButton('disconnect-app', disconnectApp, '/account/apps', 'app-disconnected');

const row = (request: PageRequest, app: ShownApp) => [
  html`<bdi>${app.name}</bdi> <span class="quiet long">${app.redirectHost}</span>`,
  app.scopes.map((scope) => scopeWords[scope]).join('; '),
  shownTime(app.created),
  shownTime(app.lastUsed),
  confirmForm(disconnectForm, request, {
    open: 'Disconnect',
    label: `Disconnect ${app.name}`,
    ask: `“${app.name}” loses access at once. It can ask for it again.`,
    submit: 'Disconnect it',
    hidden: { id: app.id },
  }),
];

/** Connected apps: list, disconnect. */
export const appsPage = accountPage({
  path: '/account/apps',
  title: 'Connected apps',
  forms: [disconnectForm],
  async body(request) {
    const { apps } = await request.run(listApps);
    return html`<p>
        Apps ask for access in the browser. An app names itself: the host beside its name is where your
        browser was sent when you allowed it.
      </p>
      ${dataTable({
        caption: 'Apps that you have allowed in, the newest first',
        titles: ['App', 'May', 'Connected', 'Last used', 'Disconnect'],
        rows: apps.map((app) => row(request, app)),
        empty: 'No app is connected.',
        hasActions: true,
      })}`;
  },
});
