import { showActivity } from './activity-charts.js';
import { showClusterTables } from './cluster-tables.js';
import { addDeadJobButtons, showDeadJobs } from './dead-jobs.js';
import { byId, element } from './element.js';
import { showRunningJobs } from './running-jobs.js';
import { showSchedules } from './schedules-table.js';
import { callService, ServiceError, sessionToken } from './service.js';
import type { ShownActivity } from './shown-activity.js';
import type { ShownCluster } from './shown-cluster.js';

/** The page of operators: signs in, and shows the state of the cluster every two seconds, and the last hour every ten. */

const pollMs = 2_000;
const pollsBetweenActivity = 5;
let timer: number | undefined;
let polls = 0;

function showSignIn(message = ''): void {
  sessionToken.clear();
  clearTimeout(timer);
  polls = 0;
  for (const id of ['cluster', 'sign-out', 'connection']) byId(id).hidden = true;
  byId('sign-in').hidden = false;
  byId('sign-in-error').textContent = message;
  byId('email').focus();
}

async function refresh(): Promise<void> {
  clearTimeout(timer);
  const token = sessionToken.read();
  if (token === null) return showSignIn();
  try {
    const isActivityDue = polls++ % pollsBetweenActivity === 0;
    const [cluster, activity] = await Promise.all([
      callService<ShownCluster>('/operator/cluster'),
      isActivityDue ? callService<ShownActivity>('/operator/activity') : null,
    ]);
    // Signed out meanwhile.
    if (sessionToken.read() !== token) return;
    showCluster(cluster);
    if (activity) showActivity(activity);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (sessionToken.read() !== token) return;
    if (error.status === 401) return showSignIn('Your session has expired: sign in again.');
    if (error.status === 403) return showSignIn('This account is not an operator.');
    showConnectionError(error.message);
  }
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), pollMs);
}

function showCluster(cluster: ShownCluster): void {
  byId('sign-in').hidden = true;
  for (const id of ['cluster', 'sign-out', 'connection']) byId(id).hidden = false;
  const time = element('time', new Date(cluster.at).toLocaleString(), { datetime: cluster.at });
  byId('connection').replaceChildren('as of ', time);
  byId('connection').className = '';
  showClusterTables(cluster);
  showRunningJobs(cluster, refresh);
  showSchedules(cluster, refresh);
  showDeadJobs(cluster, refresh);
}

/** The session is still valid: the last state stays on the page, and polling goes on. */
function showConnectionError(message: string): void {
  byId('sign-in').hidden = true;
  for (const id of ['sign-out', 'connection']) byId(id).hidden = false;
  byId('connection').className = 'error';
  byId('connection').textContent = message;
}

async function signIn(form: HTMLFormElement): Promise<void> {
  const submit = form.querySelector('button')!;
  submit.disabled = true;
  try {
    const { email, password } = Object.fromEntries(new FormData(form));
    const { token } = await callService<{ token: string }>('/backend/login', { email, password });
    sessionToken.store(token);
    form.reset();
    await refresh();
  } catch (error) {
    byId('sign-in-error').textContent = (error as Error).message;
  } finally {
    submit.disabled = false;
  }
}

/** Ends the session at the service, so that its token is of no more use. */
async function signOut(): Promise<void> {
  clearTimeout(timer);
  try {
    await callService('/backend/logout', {});
    showSignIn();
  } catch (error) {
    const isOver = error instanceof ServiceError && error.status === 401;
    const { message } = error as Error;
    showSignIn(isOver ? '' : `Signed out on this page only; the session stays valid: ${message}`);
  }
}

addDeadJobButtons(refresh);
byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  void signIn(event.target as HTMLFormElement);
});
byId('sign-out').addEventListener('click', () => void signOut());
void refresh();
