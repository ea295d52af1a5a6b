import {
  endSession,
  listSessions,
  endSessions,
  type ListSessionsOutput,
} from '../../../../operations/account/sessions.js';
import { html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { confirmForm } from '../../form-markup.js';
import type { PageRequest } from '../../page.js';
import { shownTime } from '../../shown-time.js';
import { accountButton, accountPage } from './account-view.js';

const endForm = accountButton('end-session', endSession, '/account/sessions', 'session-ended');

const endOthersForm = accountButton(
  'end-sessions',
  endSessions,
  '/account/sessions',
  'sessions-ended',
  () => ({
    keepThis: true,
  }),
);

const clientNames = { web: 'Browser or API', ios: 'iOS', android: 'Android' };

const row = (request: PageRequest, session: ListSessionsOutput['sessions'][number]) => {
  const { id, client, created, expires, current } = session;
  const end = confirmForm(endForm, request, {
    open: 'End',
    label: `End the session of ${clientNames[client]}, opened ${created.slice(0, 16).replace('T', ' ')} UTC`,
    ask: 'It has to sign in again.',
    submit: 'End it',
    hidden: { id },
  });
  const name = html`${clientNames[client]}${current ? html` <strong class="badge">this browser</strong>` : ''}`;
  return [name, shownTime(created), shownTime(expires), current ? html`sign out above` : end];
};

/** Open sessions: list, end one, end all others. */
export const sessionsPage = accountPage({
  path: '/account/sessions',
  title: 'Sessions',
  forms: [endForm, endOthersForm],
  async body(request) {
    const { sessions } = await request.run(listSessions);
    const endOthers = confirmForm(endOthersForm, request, {
      open: 'End all other sessions',
      ask: 'All other browsers and programs with a session have to sign in again. Connected apps and access tokens go on working.',
      submit: 'End all others',
    });
    return html`${dataTable({
      caption: 'Where you are signed in, the latest first',
      titles: ['Client', 'Opened', 'Expires', 'End'],
      rows: sessions.map((session) => row(request, session)),
      hasActions: true,
    })}
    ${sessions.length > 1 ? endOthers : ''}`;
  },
});
