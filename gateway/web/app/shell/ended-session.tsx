import { Dialog } from '../parts/dialog.js';
import { isUnauthorized } from '../client/csrf.js';
import { route } from './route.js';
import { hasEnded } from './session.js';

/** Lies over the page when the session has ended; the page stays beneath. */
export function EndedSession() {
  if (!hasEnded.value) return null;
  const next = encodeURIComponent(route.value.path + location.search);
  return (
    <Dialog title="Your session has ended" onClose={() => void (isUnauthorized.value = false)}>
      <p>Sign in again to go on. This page stays as it is until you leave it.</p>
      <p class="actions">
        <a class="button" href={`/sign-in?next=${next}`}>
          Sign in
        </a>
      </p>
    </Dialog>
  );
}
