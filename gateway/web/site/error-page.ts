import { html, type Html } from '../html.js';
import { places } from '../app/places.js';
import { pageHead } from '../page-head.js';

interface LayoutParts {
  /** Of the window; the name of the service follows it. */
  title: string;
  body: Html;
  /** E-mail of the signed-in user; null for a guest. */
  email: string | null;
  /** The button that signs out, a form; null for a guest. */
  signOut: Html | null;
  /** The path of the page, whose link is marked. */
  path: string;
}

/** The navigation of the application, but for what not every user sees. */
const mainLinks = places
  .filter((place) => place.isMain && (place.for === 'all' || place.for === 'user'))
  .map(({ path, title }) => html`<a href="${path}">${title}</a>`);

/** The document of a page: skip link, header, content, footer. It needs no script. */
export const layout = (parts: LayoutParts): string =>
  html`<!doctype html>
    <html lang="en">
      ${pageHead({
        title: `${parts.title} – Tidemark`,
        style: '/site/site.css',
        script: '/site/site.js',
        isPrivate: true,
      })}
      <body>
        <a class="skip" href="#content">To the content</a>
        <header>
          <a class="brand" href="/app"><img src="/favicon.svg" alt="" width="28" height="28" />Tidemark</a>
          <nav aria-label="Pages">${mainLinks}</nav>
          ${accountLinks(parts)}
        </header>
        <main id="content" tabindex="-1">${parts.body}</main>
        <footer>
          <nav aria-label="Service"><a href="/docs">API docs</a></nav>
        </footer>
      </body>
    </html> `.text;

function accountLinks({ email, signOut, path }: LayoutParts): Html {
  if (email === null && path === '/sign-in') return html``;
  const who =
    email === null ? html`<a href="/sign-in">Sign in</a>` : html`<a class="who" href="/account">${email}</a>`;
  return html`<nav aria-label="Account">${who} ${signOut ?? ''}</nav>`;
}

const headings: Record<number, string> = {
  400: 'This request is not valid',
  401: 'Sign in first',
  403: 'This is not allowed',
  404: 'There is no such page',
  405: 'This does not work here',
  413: 'That is too much text',
  415: 'This form was not understood',
  429: 'Too many requests',
  503: 'Not available at the moment',
  504: 'That took too long',
};

export interface PageError {
  status: number;
  /** What happened; null for a bug, whose message is not shown. */
  message: string | null;
  requestId: string;
}

/** The page of an error: what happened, what to do, and the id that operators find it by. */
export function errorPage({ status, message, requestId }: PageError): string {
  const heading =
    headings[status] ?? (status < 500 ? 'This request is not valid' : 'Something went wrong here');
  const what =
    message ?? 'The service failed. Try again; if it happens again, tell its operator the id below';
  const body = html`<h1>${heading}</h1>
    <p>${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.?]$/.test(what) ? '' : '.'}</p>
    <p class="quiet">Error ${status}, request <code>${requestId}</code></p>`;
  return layout({ title: heading, body, email: null, signOut: null, path: '' });
}
