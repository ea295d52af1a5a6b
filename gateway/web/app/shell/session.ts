import { computed, signal } from '@preact/signals';
import { ask, isUnauthorized, keepCsrf, renewSessionBy } from '../client/ask.js';
import type { RoutePayload } from '../client/routes.js';
import { resumeLive } from '../live/stream.js';
import type { Place } from '../places.js';

type Session = RoutePayload<'GET /backend/session'>;

/** Who uses this browser; null until the service has said so. */
export const session = signal<Session | null>(null);

/** Whose browser it is, empty for visitors; null until the service has said so. */
export const userEmail = computed(() => session.value && (session.value.user?.email ?? ''));

/** Whether the service could not say who uses this browser. */
export const isSessionUnknown = signal(false);

/** Whether a session that this page began with has ended. */
export const hasEnded = computed(() => isUnauthorized.value && Boolean(session.value?.user));

/** Whether who uses this browser may open a page. */
export function isOpen({ for: who }: Place): boolean {
  const { user, partner } = session.value ?? {};
  return { all: true, user: !!user, member: !!partner, operator: !!user?.isOperator }[who];
}

const againMs = 5_000;
let later: ReturnType<typeof setTimeout> | undefined;

/**
 * Asks who uses this browser, until that is known. A session that has ended is gone on with once the same user has begun another; for
 * another user the page begins anew. Answers whether the page may go on.
 */
export async function loadSession(): Promise<boolean> {
  clearTimeout(later);
  const known = await ask('GET /backend/session', {}).catch(() => null);
  const before = session.peek();
  isSessionUnknown.value = known === null && before === null;
  if (isSessionUnknown.peek()) later = setTimeout(() => void loadSession(), againMs);
  if (!known) return false;
  if (before && before.user?.email !== known.user?.email) {
    if (known.user) location.reload();
    isUnauthorized.value = true;
    return false;
  }
  keepCsrf(known.csrf);
  session.value = known;
  if (!isUnauthorized.peek()) return true;
  isUnauthorized.value = false;
  resumeLive();
  return true;
}
renewSessionBy(loadSession);
