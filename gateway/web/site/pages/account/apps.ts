import { disconnectApp, listApps, type ShownApp } from '../../../../operations/tokens/tokens.js';
import { html, type Html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { confirmForm } from '../../form-markup.js';
import { definePage, definePageForm, type PageRequest } from '../../page.js';
import { shownTime } from '../../shown-time.js';
import { accountView } from './account-view.js';
import { scopeWords } from '../../../../auth/oauth/scope-words.js';

const disconnectForm = definePageForm({
  name: 'disconnect-app',
  operation: disconnectApp,
  fields: [],
  input: ({ id }) => ({ id }),
  done: () => ({ to: '/account/apps', notice: 'app-disconnected' }),
});

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

function listed(request: PageRequest, apps: readonly ShownApp[]): Html {
  if (apps.length === 0) return html`<p class="quiet">No app is connected.</p>`;
  return dataTable({
    caption: 'Apps that you have allowed in, the newest first',
    titles: ['App', 'May', 'Connected', 'Last used', 'Disconnect'],
    rows: apps.map((app) => row(request, app)),
    hasActions: true,
  });
}

/** Connected apps: list, disconnect. */
export const appsPage = definePage({
  path: '/account/apps',
  scope: 'user',
  forms: [disconnectForm],
  async render(request) {
    const { apps } = await request.run(listApps);
    return accountView(request, {
      title: 'Connected apps',
      buttons: [disconnectForm],
      body: html`<p>
          Apps ask for access in the browser. An app names itself: the host beside its name is where your
          browser was sent when you allowed it.
        </p>
        ${listed(request, apps)}`,
    });
  },
});
