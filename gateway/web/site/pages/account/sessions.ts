import {
  endSession,
  listSessions,
  endSessions,
  type ListSessionsOutput,
} from '../../../../operations/account/sessions.js';
import { html } from '../../../html.js';
import { dataTable } from '../../data-table.js';
import { confirmForm } from '../../form-markup.js';
import { definePage, definePageForm, type PageRequest } from '../../page.js';
import { shownTime } from '../../shown-time.js';
import { accountView } from './account-view.js';

const endForm = definePageForm({
  name: 'end-session',
  operation: endSession,
  fields: [],
  input: ({ id }) => ({ id }),
  done: () => ({ to: '/account/sessions', notice: 'session-ended' }),
});

const endOthersForm = definePageForm({
  name: 'end-sessions',
  operation: endSessions,
  fields: [],
  input: () => ({ keepThis: true }),
  done: () => ({ to: '/account/sessions', notice: 'sessions-ended' }),
});

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
export const sessionsPage = definePage({
  path: '/account/sessions',
  scope: 'user',
  forms: [endForm, endOthersForm],
  async render(request) {
    const { sessions } = await request.run(listSessions);
    const rows = sessions.map((session) => row(request, session));
    const endOthers = confirmForm(endOthersForm, request, {
      open: 'End all other sessions',
      ask: 'All other browsers and programs with a session have to sign in again. Connected apps and access tokens go on working.',
      submit: 'End all others',
    });
    return accountView(request, {
      title: 'Sessions',
      buttons: [endForm, endOthersForm],
      body: html`${dataTable({
        caption: 'Where you are signed in, the latest first',
        titles: ['Client', 'Opened', 'Expires', 'End'],
        rows,
        hasActions: true,
      })}
      ${sessions.length > 1 ? endOthers : ''}`,
    });
  },
});
