import type Router from '@koa/router';
import type { RequestState } from '../context.js';
import { docsBase, docsText } from '../prepared/documentation.js';
import { connectHelp } from '../web/docs/help/connect-help.js';
import { tokensHelp } from '../web/docs/help/tokens-help.js';
import { styleSheet } from '../web/style-sheet.js';
import { webFile, webScript } from '../web/web-file.js';
import type { Settings } from '../../storage/process/settings.js';
import { readingPolicy, scriptedPolicy, staticPage, staticText } from './static-answer.js';

/** The modules of the script of the documentation. */
const docsModules = ['docs', 'help', 'copy-buttons', 'current-section', 'search'];

/** The modules of the dashboard's script; the page loads the first, which imports the others. */
const dashboardModules = [
  'dashboard',
  'act-and-tell',
  'action-button',
  'activity-charts',
  'cluster-tables',
  'confirm-action',
  'dead-jobs',
  'durations',
  'element',
  'fill-table',
  'history-chart',
  'keep-equal',
  'running-jobs',
  'schedules-table',
  'service',
];

/** Adds the pages for browsers: the documentation and the dashboard for operators. */
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

  // Browsers check for a new version with every load: the page, its style and its modules must fit together.
  const options = { policy: scriptedPolicy, cacheControl: 'no-cache' };
  router.get('/dashboard', staticPage(webFile('dashboard/dashboard.html'), options));
  const style = webFile('dashboard/dashboard.css');
  router.get('/dashboard/dashboard.css', staticText('text/css', style, options));
  for (const name of dashboardModules) {
    const script = staticText('text/javascript', webScript(`dashboard/${name}`), options);
    router.get(`/dashboard/${name}.js`, script);
  }
}
