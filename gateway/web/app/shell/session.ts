import { computed, signal } from '@preact/signals';
import { ask, isUnauthorized, keepCsrf } from '../client/ask.js';
import type { RoutePayload } from '../client/routes.js';
import type { Place } from '../places.js';

type Session = RoutePayload<'GET /backend/session'>;

/** Who uses this browser; null until the service has said so. */
export const session = signal<Session | null>(null);

/** Whether the service could not say who uses this browser. */
export const isSessionUnknown = signal(false);

/** Whether a session that this page began with has ended. */
export const hasEnded = computed(() => isUnauthorized.value && Boolean(session.value?.user));

/** Whether who uses this browser may open a page. */
export function isOpen({ for: who }: Place): boolean {
  const { user, partner } = session.value ?? {};
  return { all: true, user: Boolean(user), member: Boolean(partner), operator: Boolean(user?.isOperator) }[
    who
  ];
}

/** Asks who uses this browser. */
export async function loadSession(): Promise<void> {
  try {
    const known = await ask('GET /backend/session', {});
    keepCsrf(known.csrf);
    session.value = known;
    isSessionUnknown.value = false;
  } catch {
    keepCsrf(null);
    isSessionUnknown.value = true;
  }
}

/** Goes on with a session that the same user has begun in another tab. */
export async function takeUpSession(): Promise<void> {
  const known = await ask('GET /backend/session', {}).catch(() => null);
  if (!known?.user || known.user.email !== session.peek()?.user?.email) return;
  keepCsrf(known.csrf);
  session.value = known;
  isUnauthorized.value = false;
}
