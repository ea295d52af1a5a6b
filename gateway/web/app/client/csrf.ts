import { signal } from '@preact/signals';

/** What `GET session` gave this browser, so that what it sends counts as its own. */
const csrf = signal<string | null>(null);

/** Whether the service no longer knows the session of this browser. */
export const isUnauthorized = signal(false);

export const keepCsrf = (token: string | null): void => void (csrf.value = token);

export const csrfHeader = (): Record<string, string> => {
  const token = csrf.peek();
  return token === null ? {} : { 'csrf-token': token };
};

export const noteUnauthorized = (): void => void (isUnauthorized.value = true);
