import { showActivity } from './activity-charts.js';
import { showClusterTables } from './cluster-tables.js';
import { closeQuestion } from './confirm-action.js';
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
let isSigningIn = false;

function showSignIn(message = ''): void {
  sessionToken.clear();
  clearTimeout(timer);
  polls = 0;
  closeQuestion();
  tellConnection('');
  for (const id of ['cluster', 'sign-out', 'connection']) byId(id).hidden = true;
  byId('sign-in').hidden = false;
  byId('sign-in-error').textContent = message;
  byId('email').focus();
}

async function refresh(): Promise<void> {
  clearTimeout(timer);
  const token = sessionToken.read();
  if (token === null) return showSignIn();
  const poll = ++polls;
  // Signed out meanwhile, or asked again after an action: the older answer must not replace the newer one.
  const isOutdated = () => sessionToken.read() !== token || poll !== polls;
  try {
    const [cluster, activity] = await Promise.all([
      callService<ShownCluster>('/operator/cluster'),
      poll % pollsBetweenActivity === 1 ? callService<ShownActivity>('/operator/activity') : null,
    ]);
    if (isOutdated()) return;
    showCluster(cluster);
    if (activity) showActivity(activity);
    pollLater();
  } catch (error) {
    if (!isOutdated()) takeFailure(error);
  }
}

function pollLater(): void {
  timer = setTimeout(() => void refresh(), pollMs);
}

function takeFailure(error: unknown): void {
  if (!(error instanceof ServiceError)) {
    tellConnection('this page has failed: reload it');
    throw error;
  }
  if (error.status === 401) return showSignIn('Your session has expired: sign in again.');
  if (error.status === 403) return showSignIn('This account is not an operator.');
  // The session is still valid: the last state stays on the page, and polling goes on.
  byId('sign-in').hidden = true;
  byId('sign-out').hidden = false;
  tellConnection(error.message);
  pollLater();
}

function showCluster(cluster: ShownCluster): void {
  byId('sign-in').hidden = true;
  for (const id of ['cluster', 'sign-out', 'connection']) byId(id).hidden = false;
  const time = `${cluster.at.slice(0, 19).replace('T', ' ')} UTC`;
  byId('connection').replaceChildren('as of ', element('time', time, { datetime: cluster.at }));
  tellConnection('');
  showClusterTables(cluster);
  showRunningJobs(cluster, refresh);
  showSchedules(cluster, refresh);
  showDeadJobs(cluster, refresh);
}

/** Says what is wrong with the connection. Screen readers read it once, not with every poll. */
function tellConnection(text: string): void {
  const place = byId('connection-error');
  if (place.textContent !== text) place.textContent = text;
}

async function signIn(form: HTMLFormElement): Promise<void> {
  if (isSigningIn) return;
  // The button is not disabled: that would take the focus away.
  isSigningIn = true;
  byId('sign-in-error').textContent = '';
  try {
    const { email, password } = Object.fromEntries(new FormData(form));
    const { token } = await callService<{ token: string }>('/backend/login', { email, password });
    sessionToken.store(token);
    form.reset();
    await refresh();
    // The form with the focus is gone.
    if (form.hidden) byId('main').focus();
  } catch (error) {
    byId('sign-in-error').textContent = (error as Error).message;
  } finally {
    isSigningIn = false;
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
