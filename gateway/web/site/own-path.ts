const mostCharacters = 4_000;
/** Leads nowhere: paths are read relative to it, as a browser does. */
const nowhere = 'https://own.invalid';

/**
 * The path, with its query, if it leads to a page of this service; else null. Browsers read `//host`, `/\host` and a path with tabs
 * or line breaks in it as another host.
 */
export function ownPath(text: string | undefined): string | null {
  if (text === undefined || text.length > mostCharacters || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text))
    return null;
  if (text.includes('\\') || !URL.canParse(text, nowhere)) return null;
  const { origin, pathname, search } = new URL(text, nowhere);
  return origin === nowhere && !pathname.startsWith('//') ? pathname + search : null;
}

/** A path that keeps where its reader goes on. */
export function withNext(path: string, { query }: { query: Readonly<Record<string, string>> }): string {
  const next = ownPath(query.next);
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}
