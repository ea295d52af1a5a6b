import { useEffect } from 'preact/hooks';
import { Dialog } from '../parts/dialogs.js';
import { isUnauthorized } from '../client/ask.js';
import { route } from './route.js';
import { hasEnded, loadSession } from './session.js';

/** Lies over the page when the session has ended; the page stays beneath. */
export function EndedSession() {
  useEffect(() => {
    const look = () => void (document.hidden || !hasEnded.peek() || loadSession());
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  if (!hasEnded.value) return null;
  const next = encodeURIComponent(route.value.path + location.search);
  return (
    <Dialog title="Your session has ended" onClose={() => void (isUnauthorized.value = false)}>
      <p>Sign in again in the tab that opens, then come back to this one: what you have typed stays here.</p>
      <p class="actions">
        <a class="button" target="_blank" href={`/sign-in?next=${next}`}>
          Sign in
        </a>
      </p>
    </Dialog>
  );
}
