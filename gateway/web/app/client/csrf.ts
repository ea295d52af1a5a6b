import { signal } from '@preact/signals';

/** Resolved once it is known whose browser this is: what is sent before could be taken for another site's. */
let tellKnown: () => void;
const known = new Promise<void>((resolve) => (tellKnown = resolve));
let csrf: string | null = null;

/** Whether the service no longer knows the session of this browser. */
export const isUnauthorized = signal(false);

/** Keeps what `GET session` gave this browser, so that what it sends counts as its own; null for visitors. */
export function keepCsrf(token: string | null): void {
  csrf = token;
  tellKnown();
}

export async function csrfHeader(): Promise<Record<string, string>> {
  await known;
  return csrf === null ? {} : { 'csrf-token': csrf };
}

export const noteUnauthorized = (): void => void (isUnauthorized.value = true);
