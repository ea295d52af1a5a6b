import type Router from '@koa/router';
import type { RequestState } from '../context.js';
import { docsBase, docsText } from '../prepared/documentation.js';
import { connectHelp } from '../web/docs/help/connect-help.js';
import { tokensHelp } from '../web/docs/help/tokens-help.js';
import { styleSheet } from '../web/style-sheet.js';
import { seeOther } from '../web/site/send-page.js';
import { webFile, webScript } from '../web/web-file.js';
import type { Settings } from '../../storage/process/settings.js';
import { readingPolicy, staticPage, staticText } from './static-answer.js';

/** The modules of the script of the documentation. */
const docsModules = ['docs', 'help', 'copy-buttons', 'current-section', 'search'];

/** Adds the pages for browsers: the documentation, and where the dashboard of operators was. */
export function addPages(router: Router<RequestState>, settings: Settings): void {
  const addPage = (path: string, page: () => string) =>
    router.get(path, staticPage(page, { policy: readingPolicy }));
  addPage('/docs', () => docsText(settings));
  addPage('/docs/connect', () => connectHelp(docsBase(settings)));
  addPage('/docs/tokens', () => tokensHelp(docsBase(settings)));
  router.get('/docs/docs.css', staticText('text/css', styleSheet('docs/docs.css')));
  for (const name of docsModules)
    router.get(`/docs/${name}.js`, staticText('text/javascript', webScript(`docs-client/${name}`)));

  router.get('/favicon.svg', staticText('image/svg+xml', webFile('favicon.svg')));

  router.get('/dashboard', (ctx) => seeOther(ctx, '/app/operator'));
}
