import type Router from '@koa/router';
import type { Deps, RequestState } from '../context.js';
import { showPage, takeForm } from '../web/site/mount-page.js';
import { sitePages } from '../web/site/site-pages.js';
import { styleSheet } from '../web/style-sheet.js';
import { webScript } from '../web/web-file.js';
import { staticText } from './static-answer.js';

/** Adds the pages of accounts with their style and script. Browsers check for a new version of these with every page. */
export function addSite(router: Router<RequestState>, deps: Deps): void {
  for (const page of sitePages) {
    router.get(page.path, showPage(page, deps));
    if (page.forms.length > 0) router.post(page.path, takeForm(page, deps));
  }
  const options = { cacheControl: 'no-cache' };
  router.get('/site/site.css', staticText('text/css', styleSheet('site/site.css'), options));
  router.get('/site/site.js', staticText('text/javascript', webScript('site-client/site'), options));
}
