import { places } from '../app/places.js';
import { html, type Html } from '../html.js';
import { pageHead } from '../page-head.js';

export interface LayoutParts {
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

const links = [['/docs', 'API docs']] as const;

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
          <nav aria-label="Service">${links.map(([to, name]) => html`<a href="${to}">${name}</a>`)}</nav>
        </footer>
      </body>
    </html> `.text;

function accountLinks({ email, signOut, path }: LayoutParts): Html {
  if (email === null && path === '/sign-in') return html``;
  const who =
    email === null ? html`<a href="/sign-in">Sign in</a>` : html`<a class="who" href="/account">${email}</a>`;
  return html`<nav aria-label="Account">${who} ${signOut ?? ''}</nav>`;
}
