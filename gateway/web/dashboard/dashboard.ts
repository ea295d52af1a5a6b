import { showClusterTables } from './cluster-tables.js';
import { showDeadJobs } from './dead-jobs.js';
import { byId, element } from './element.js';
import { callService, ServiceError, sessionToken } from './service.js';
import type { ShownCluster } from './shown-cluster.js';

/** The page of operators: signs in, and shows the state of the cluster every two seconds. */

const pollMs = 2_000;
let timer: number | undefined;

function showSignIn(message = ''): void {
  sessionToken.clear();
  clearTimeout(timer);
  for (const id of ['cluster', 'sign-out', 'connection']) byId(id).hidden = true;
  byId('sign-in').hidden = false;
  byId('sign-in-error').textContent = message;
  byId('email').focus();
}

async function refresh(): Promise<void> {
  clearTimeout(timer);
  try {
    showCluster(await callService<ShownCluster>('/operator/cluster'));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.status === 401) return showSignIn('Your session has expired: sign in again.');
    if (error.status === 403) return showSignIn('This account is not an operator.');
    showConnectionError(error.message);
  }
  timer = setTimeout(() => void refresh(), pollMs);
}

function showCluster(cluster: ShownCluster): void {
  byId('sign-in').hidden = true;
  for (const id of ['cluster', 'sign-out', 'connection']) byId(id).hidden = false;
  const time = element('time', new Date(cluster.at).toLocaleString(), { datetime: cluster.at });
  byId('connection').replaceChildren('as of ', time);
  byId('connection').className = '';
  showClusterTables(cluster);
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

byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  void signIn(event.target as HTMLFormElement);
});
byId('sign-out').addEventListener('click', () => showSignIn());

if (sessionToken.read() === null) showSignIn();
else void refresh();
