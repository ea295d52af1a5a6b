import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RequestState } from '../context.js';
import { docsParts } from '../web/docs/docs-parts.js';
import { preparedText } from '../prepared/prepared-text.js';
import { docsModules, docsPages } from '../web/docs/docs-pages.js';
import { searchIndex } from '../web/docs/search-index.js';
import { styleSheet } from '../web/style-sheet.js';
import { seeOther } from '../web/site/send-page.js';
import { webFile, webScript } from '../web/web-file.js';
import type { Settings } from '../../storage/process/settings.js';
import { readingPolicy, staticPage, staticText } from './static-answer.js';

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
