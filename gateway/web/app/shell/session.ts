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
  return { all: true, user: !!user, member: !!partner, operator: !!user?.isOperator }[who];
}

/** Asks who uses this browser. A session that has ended is gone on with once the same user has begun another. */
export async function loadSession(): Promise<void> {
  const known = await ask('GET /backend/session', {}).catch(() => null);
  if (hasEnded.peek() && known?.user?.email !== session.peek()!.user!.email) return;
  keepCsrf(known?.csrf ?? null);
  isSessionUnknown.value = known === null;
  if (!known) return;
  session.value = known;
  isUnauthorized.value = false;
}
