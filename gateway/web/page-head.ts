import { html, type Html } from './html.js';

interface PageHead {
  title: string;
  /** Paths of the style sheet and of the script, a module. */
  style: string;
  script: string;
  /** What the script imports, which then comes with it. */
  modules?: readonly string[];
  /** What is asked for at the start, by the script. */
  asked?: readonly string[];
  /** Whether search engines leave the page out. */
  isPrivate?: boolean;
}

/** The head of a page that is light or dark as the reader's system is. */
export const pageHead = ({
  title,
  style,
  script,
  modules = [],
  asked = [],
  isPrivate = false,
}: PageHead): Html =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${isPrivate ? html`<meta name="robots" content="noindex" />` : ''}
    <title>${title}</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    ${asked.map((path) => html`<link rel="preload" as="fetch" crossorigin href="${path}" />`)}
    <link rel="stylesheet" href="${style}" />
    <script type="module" src="${script}"></script>
    ${modules.map((path) => html`<link rel="modulepreload" href="${path}" />`)}
  </head>`;
