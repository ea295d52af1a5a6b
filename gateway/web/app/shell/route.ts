import { computed, signal } from '@preact/signals';
import { type Place, places } from '../places.js';

interface ReaderRoute {
  place: Place | null;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  path: string;
}

/** What a page of the application is given. */
export type PageProps = Pick<ReaderRoute, 'params' | 'query'>;

const address = signal(location.pathname + location.search);

/** Whether the page was reached from another one of the application. */
export const hasMoved = signal(false);

const patterns = places.map((place) => ({
  place,
  pattern: new RegExp(`^${place.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}));

/** Where the reader is. */
export const route = computed<ReaderRoute>(() => {
  const { pathname, searchParams } = new URL(address.value, location.origin);
  for (const { place, pattern } of patterns) {
    const found = pattern.exec(pathname);
    if (!found) continue;
    const params = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decoded(text)]);
    return {
      place,
      params: Object.fromEntries(params) as Record<string, string>,
      query: searchParams,
      path: pathname,
    };
  }
  return { place: null, params: {}, query: searchParams, path: pathname };
});

/** A part of a path; one that is no text stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Goes to a page; `replace` where going back should not lead here. */
export function go(to: string, { replace = false }: { replace?: boolean } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  const isOtherPage =
    new URL(to, location.origin).pathname !== new URL(address.peek(), location.origin).pathname;
  if (isOtherPage) {
    hasMoved.value = true;
    window.scrollTo(0, 0);
  }
  address.value = location.pathname + location.search;
}

/** The query with this change: `null` removes a name. */
export function goQuery(change: Readonly<Record<string, string | null>>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change))
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  const text = query.toString();
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

/** Lets links between pages change the page without loading it. */
export function followLinks(): void {
  window.addEventListener('popstate', () => {
    hasMoved.value = true;
    address.value = location.pathname + location.search;
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
      return;
    if (link.hash !== '' || !/^\/app(\/|$)/.test(link.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
