import { html, type Html } from '../../html.js';
import { pageHead } from '../../page-head.js';

/** A part of a help page; its id is the anchor in the URL. */
export interface HelpSection {
  id: string;
  title: string;
  body: Html;
}

export interface HelpPage {
  title: string;
  intro: Html;
  sections: readonly HelpSection[];
}

/** The help pages, for the links in the contents of each. */
const pages = [
  ['/docs', 'API'],
  ['/docs/connect', 'Connect an AI client'],
  ['/docs/tokens', 'Tokens and scopes'],
] as const;

/** A help page as a document, in the look of the API documentation. It can be read without its script. */
export const helpPage = ({ title, intro, sections }: HelpPage): string =>
  html`<!doctype html>
    <html lang="en">
      ${pageHead({ title: `${title} – Tidemark`, style: '/docs/docs.css', script: '/docs/help.js' })}
      <body>
        <a class="skip" href="#content">To the content</a>
        <nav aria-label="Contents">
          <p class="title">${title}</p>
          <ul>
            ${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}
          </ul>
          <p>More help</p>
          <ul>
            ${pages
              .filter(([, name]) => name !== title)
              .map(([path, name]) => html`<li><a href="${path}">${name}</a></li>`)}
          </ul>
        </nav>
        <main id="content">
          <h1>${title}</h1>
          ${intro}
          ${sections.map(
            (section) =>
              html`<section id="${section.id}">
                <h2>
                  ${section.title}
                  <a class="anchor" href="#${section.id}" aria-label="Link to ${section.title}">#</a>
                </h2>
                ${section.body}
              </section>`,
          )}
        </main>
      </body>
    </html> `.text;

/** A command, setting or program, as it is to be typed. */
export const codeBlock = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;
