import { html, Html } from '../html.js';
import { pageHead } from '../page-head.js';
import { exampleBox } from './example-box.js';
import type { HelpPage } from './help/help-page.js';
import { requestExamples } from './request-examples.js';
import type { DocsSubject } from './subjects.js';

/** The modules of the script of the documentation, the one first that imports the others. */
export const docsModules = ['docs', 'current-section', 'example-heads', 'ranked-entries', 'search'];

const [docsScript, ...docsImports] = docsModules.map((name) => `/docs/${name}.js`);

/** What the documentation is made of. */
export interface DocsParts {
  title: string;
  version: string;
  /** The address of the service in examples. */
  base: string;
  guides: readonly HelpPage[];
  subjects: readonly DocsSubject[];
}

/** A page of the documentation: nothing from other hosts, and it can be read without its script. */
type DocsPage = (parts: DocsParts) => string;

/** All pages by their part of the path after `/docs/`; the first is that at `/docs`. */
export const docsPages = ({ guides, subjects }: DocsParts): Map<string, DocsPage> =>
  new Map([
    ['', homePage],
    ...guides.map((guide) => [guide.slug, (parts: DocsParts) => guidePage(guide, parts)] as const),
    ...subjects.map((subject) => [subject.slug, (parts: DocsParts) => subjectPage(subject, parts)] as const),
    ['all', wholePage] as const,
  ]);

/** The sections of one page for its contents: anchor and text. */
type Sections = readonly (readonly [id: string, text: Html | string])[];

function frame(
  { title, version, guides, subjects }: DocsParts,
  page: { slug: string; title: string; sections: Sections; main: Html },
): string {
  const place = ({ slug, name }: { slug: string; name: string }) =>
    html`<li>
      <a href="/docs${slug === '' ? '' : `/${slug}`}" ${slug === page.slug ? html`aria-current="page"` : ''}
        >${name}</a
      >
      ${
        slug === page.slug && page.sections.length > 0
          ? html`<ul>
              ${page.sections.map(sectionLink)}
            </ul>`
          : ''
      }
    </li>`;
  return html`<!doctype html>
    <html lang="en">
      ${pageHead({
        title: `${page.title} – ${title}`,
        style: '/docs/docs.css',
        script: docsScript,
        modules: docsImports,
      })}
      <body>
        <a class="skip" href="#content">To the content</a>
        <nav aria-label="Contents">
          <p class="title">${title} API <small>${version}</small></p>
          <div role="search" hidden>
            <label for="search">Search</label>
            <input id="search" type="search" autocomplete="off" spellcheck="false" />
            <p id="found" role="status"></p>
            <ul id="results"></ul>
          </div>
          <div id="contents">
            <ul>
              ${[
                { slug: '', name: 'Start' },
                ...guides.map((guide) => ({ slug: guide.slug, name: guide.title })),
              ].map(place)}
            </ul>
            <p>Endpoints</p>
            <ul>
              ${subjects.map(place)}
            </ul>
            <ul>
              <li><a href="/docs/all">All on one page</a></li>
              <li><a href="/openapi.json">openapi.json</a></li>
              <li><a href="/openapi.d.ts">openapi.d.ts</a></li>
            </ul>
          </div>
        </nav>
        <main id="content">
          <h1>${page.title}</h1>
          ${page.main}
        </main>
      </body>
    </html> `.text;
}

const sectionLink = ([id, text]: Sections[number]) => html`<li><a href="#${id}">${text}</a></li>`;

const homePage: DocsPage = (parts) => {
  const { title, base, guides, subjects } = parts;
  const first = {
    method: 'POST',
    path: '/backend/core-line/chart',
    surface: 'envelope',
    scope: 'public',
  } as const;
  const main = html`<p>
      Trend states, scenario analysis, prices, risk, backtests, portfolios and signals, over HTTP. It is
      described as OpenAPI 3.1 in <a href="/openapi.json">openapi.json</a>, for TypeScript in
      <a href="/openapi.d.ts">openapi.d.ts</a>. AI clients <a href="/docs/connect">connect by MCP</a>. Who
      writes no code uses <a href="/app">the application</a>.
    </p>
    <section id="first-request">
      <h2>A first request</h2>
      <p>The last five days of Bitcoin with their trend states. It needs no account.</p>
      ${exampleBox(requestExamples(first, { asset: 'BTC', interval: '1d', limit: 5 }, base))}
    </section>
    <section id="guides">
      <h2>Guides</h2>
      <dl class="guides">
        ${guides.map(
          (guide) =>
            html`<dt><a href="/docs/${guide.slug}">${guide.title}</a></dt>
              <dd>${guide.summary}</dd>`,
        )}
      </dl>
    </section>
    <section id="subjects">
      <h2>Endpoints</h2>
      <div class="cards">
        ${subjects.map(
          ({ slug, name, description, endpoints }) =>
            html`<section>
              <h3><a href="/docs/${slug}">${name}</a></h3>
              <p>${description}</p>
              <details>
                <summary>${endpoints.length} endpoints</summary>
                <ul>
                  ${endpoints.map(
                    ({ id, method, path }) =>
                      html`<li><a id="${id}" href="/docs/${slug}#${id}">${nameOf({ method, path })}</a></li>`,
                  )}
                </ul>
              </details>
            </section>`,
        )}
      </div>
    </section>
    <p class="moved" hidden>
      ${guides.flatMap(({ slug, sections }) =>
        sections.map(({ id, title: text }) => html`<a id="${id}" href="/docs/${slug}#${id}">${text}</a>`),
      )}
    </p>`;
  return frame(parts, { slug: '', title: `${title} API`, sections: [], main });
};

const nameOf = ({ method, path }: { method: string; path: string }): Html =>
  html`<span class="method">${method}</span> ${path.replace(/^\/(backend|v3\/ai)/, '')}`;

function guidePage(guide: HelpPage, parts: DocsParts): string {
  const { slug, title, sections } = guide;
  const links = sections.map((section) => [section.id, section.title] as const);
  return frame(parts, { slug, title, sections: links, main: guideContent(guide) });
}

const guideContent = ({ intro, sections }: HelpPage): Html =>
  html`${intro}
  ${sections.map(
    ({ id, title, body }) =>
      html`<section id="${id}">
        <h2>${title} <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h2>
        ${body}
      </section>`,
  )}`;

function subjectPage(subject: DocsSubject, parts: DocsParts): string {
  const { slug, name, endpoints } = subject;
  const sections = endpoints.map((each) => [each.id, nameOf(each)] as const);
  return frame(parts, { slug, title: name, sections, main: subjectContent(subject) });
}

const subjectContent = ({ description, endpoints }: DocsSubject): Html =>
  html`<p>${description}</p>
    ${endpoints.map(({ section }) => new Html(section))}`;

/** With headings of a lower level. */
const demoted = ({ text }: Html): Html =>
  new Html(text.replace(/<(\/?)h([23])/g, (_, end: string, level: string) => `<${end}h${Number(level) + 1}`));

/** Everything on one page, for printing: examples in one language. */
const wholePage: DocsPage = (parts) => {
  const { guides, subjects } = parts;
  const main = html`${guides.map(
    (guide) =>
      html`<section>
        <h2>${guide.title}</h2>
        ${demoted(guideContent(guide))}
      </section>`,
  )}
  ${subjects.map(
    (subject) =>
      html`<section>
        <h2>${subject.name}</h2>
        ${demoted(subjectContent(subject))}
      </section>`,
  )}`;
  const printed = new Html(main.text.replace(/<pre[^>]* hidden[^]*?<\/pre>/g, ''));
  return frame(parts, { slug: 'all', title: 'All on one page', sections: [], main: printed });
};
