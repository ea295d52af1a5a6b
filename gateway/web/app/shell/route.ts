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

const here = () => location.pathname + location.search;
const address = signal(here());

/** Whether the page was reached from another one of the application. */
export const hasMoved = signal(false);

const patterns = places.map((place) => ({
  place,
  pattern: new RegExp(`^${place.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`),
}));

/** Where the reader is. */
export const route = computed<ReaderRoute>(() => {
  const { pathname: path, searchParams: query } = new URL(address.value, location.origin);
  const found = patterns.find(({ pattern }) => pattern.test(path));
  const parts = Object.entries(found?.pattern.exec(path)!.groups ?? {});
  const params = Object.fromEntries(parts.map(([name, text]) => [name, decoded(text)]));
  return { place: found?.place ?? null, params, query, path };
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
  const before = location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  if (location.pathname !== before) {
    hasMoved.value = true;
    window.scrollTo(0, 0);
  }
  address.value = here();
}

/** Changes the query; what is null or empty is left out of it. */
export function goQuery(change: Readonly<Record<string, string | null>>, replace = true): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change))
    if (value) query.set(name, value);
    else query.delete(name);
  go(`${location.pathname}?${query}`.replace(/\?$/, ''), { replace });
}

/** Lets links between pages change the page without loading it. */
export function followLinks(): void {
  window.addEventListener('popstate', () => {
    hasMoved.value = true;
    address.value = here();
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
