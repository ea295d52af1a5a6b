import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RequestState, Deps } from '../context.js';
import { docsParts } from '../web/docs/docs-parts.js';
import { preparedText } from '../prepared/prepared-text.js';
import { docsModules, docsPages } from '../web/docs/docs-pages.js';
import { searchIndex } from '../web/docs/search-index.js';
import { styleSheet } from '../web/style-sheet.js';
import { seeOther } from '../web/site/send-page.js';
import { webFile, webScript } from '../web/web-file.js';
import type { Settings } from '../../storage/process/settings.js';
import { readingPolicy, staticPage, staticText } from './static-answer.js';
import { readdirSync, readFileSync } from 'node:fs';
import { asset } from '../../storage/process/asset.js';
import { places } from '../web/app/places.js';
import { giveBrowserKey } from '../web/site/browser-key.js';

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

const built = (name: string): URL => asset(`gateway/web/app-built/${name}`);

/** The application runs its own scripts alone, turns no text into markup or code, and calls no other host. */
const appPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Adds the application in the browser: the document of each page at its path, and the files that it loads. It comes with a key for the browser, by which what its pages read is counted. */
export function addApp(router: Router<RequestState>, { settings }: Pick<Deps, 'settings'>): void {
  const giveKey: Middleware<RequestState> = (ctx, next) => {
    giveBrowserKey(ctx, settings);
    return next();
  };
  for (const { path, file } of places) {
    const text = readFileSync(built(`${file.replace('/', '-')}.html`), 'utf8');
    router.get(
      [path, `${path}/`],
      giveKey,
      staticPage(text, { policy: appPolicy, cacheControl: 'no-cache' }),
    );
  }
  for (const name of readdirSync(built('assets')).filter((each) => !each.endsWith('.gz'))) {
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    // The hash in its name changes with its content.
    const options = { cacheControl: 'public, max-age=31536000, immutable' };
    const text = () => readFileSync(built(`assets/${name}`), 'utf8');
    const packed = () => readFileSync(built(`assets/${name}.gz`));
    router.get(`/app/assets/${name}`, staticText(type, text, { ...options, packed }));
  }
}
