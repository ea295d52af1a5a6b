import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';
import { preparedText } from '../prepared/prepared-text.js';
import { docsPages, type DocsParts } from '../web/docs/docs-pages.js';
import { styleSheet } from '../web/style-sheet.js';
import { seeOther } from '../web/site/send-page.js';
import { webFile, webScript } from '../web/web-file.js';
import type { Settings } from '../../storage/process/settings.js';
import { readingPolicy, staticPage, staticText } from './static-answer.js';
import { version } from '../../storage/process/version.js';
import { docsBase } from '../prepared/documentation.js';
import { html } from '../web/html.js';
import { connectHelp } from '../web/docs/help/connect-help.js';
import { requestsHelp } from '../web/docs/help/requests-help.js';
import { signalsHelp } from '../web/docs/help/signals-help.js';
import { tokensHelp } from '../web/docs/help/tokens-help.js';
import type { DocsSubject } from '../web/docs/subjects.js';

/**
 * What the search of the documentation knows, as a module for browsers: of each endpoint and each part of a guide its title,
 * path, summary, place, fields, and text.
 */
export function searchIndex({ guides, subjects }: DocsParts): string {
  const entries = [
    ...guides.flatMap(({ slug, title, summary, sections }) => [
      [title, '', summary, `/docs/${slug}`, '', ''],
      ...sections.map((section) => [
        section.title,
        '',
        title,
        `/docs/${slug}#${section.id}`,
        '',
        [...new Set(wordsOf(section.body.text))].join(' '),
      ]),
    ]),
    ...subjects.flatMap(({ slug, name, endpoints }) =>
      endpoints.map(({ id, method, path, title, summary, fields }) => [
        title,
        `${method} ${path}`,
        summary,
        `/docs/${slug}#${id}`,
        [...new Set(fields)].join(' '),
        name,
      ]),
    ),
  ];
  return `export const entries = ${JSON.stringify(entries)};\n`;
}

/** The words of markup, without those of examples. */
const wordsOf = (markup: string): string[] =>
  markup
    .replace(/<pre[^]*?<\/pre>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .toLowerCase()
    .match(/[a-z][a-z-]{2,}/g) ?? [];

/** The modules of the script of the documentation. */
const docsModules = ['docs', 'current-section', 'example-heads', 'ranked-entries', 'search'];

/** Adds the pages for browsers: the documentation, and where the dashboard of operators was. */
export function addPages(router: Router<RequestState>, settings: Settings): void {
  router.get('/docs/docs.css', staticText('text/css', styleSheet('docs/docs.css')));
  for (const name of docsModules)
    router.get(`/docs/${name}.js`, staticText('text/javascript', webScript(`docs-client/${name}`)));
  router.get(
    '/openapi.d.ts',
    staticText('text/plain', () => preparedText('openapi.d.ts', {})),
  );
  addDocs(router, settings);

  router.get('/favicon.svg', staticText('image/svg+xml', webFile('favicon.svg')));

  router.get('/dashboard', (ctx) => seeOther(ctx, '/app/operator'));
}

/** The pages of the documentation, each made when it is first asked for. */
function addDocs(router: Router<RequestState>, settings: Settings): void {
  router.get(
    '/docs/search-index.js',
    staticText('text/javascript', () => searchIndex(docsParts(settings))),
  );
  let pages: Map<string, Middleware<RequestState>> | undefined;
  const pagesOf = () => {
    const parts = docsParts(settings);
    return new Map(
      [...docsPages(parts)].map(([slug, page]) => [
        slug,
        staticPage(() => page(parts), { policy: readingPolicy }),
      ]),
    );
  };
  for (const path of ['/docs', '/docs/:page'])
    router.get(path, async (ctx, next) => {
      const page = (pages ??= pagesOf()).get(String(ctx.params.page ?? ''));
      await (page ? page(ctx, next) : next());
    });
}

/** What the pages of the documentation are made of. */
export function docsParts(settings: Settings): DocsParts {
  const base = docsBase(settings);
  const ADDRESS = JSON.stringify(html`${base}`.text).slice(1, -1);
  return {
    title: 'Tidemark',
    version,
    base,
    guides: [requestsHelp(settings, base), signalsHelp(base), connectHelp(base), tokensHelp(base)],
    subjects: JSON.parse(preparedText('docs.json', { ADDRESS })) as DocsSubject[],
  };
}
