import { render } from 'preact';
import { startLive } from './live/stream.js';
import { loadPreferences } from './parts/preferences.js';
import { followLinks, route } from './shell/route.js';
import { loadSession, session } from './shell/session.js';
import { Shell } from './shell/shell.js';
import { loadPage } from './shell/shown-page.js';

/** After that the page is drawn without knowing whose browser it is. */
const longestBlankMs = 500;

followLinks();
const known = loadSession().then(() => {
  const user = session.value?.user;
  if (user) void loadPreferences();
  const own = user ? ',positions,signals' : '';
  startLive(`prices,flips,candles${own}${user?.isOperator ? ',cluster' : ''}`, user?.email ?? '');
});
// The document names the file of its page, and asks who uses the browser: both come with this file, so that nothing is drawn twice.
const draw = () => render(<Shell />, document.getElementById('app')!);
const isLate = new Promise((resolve) => setTimeout(resolve, longestBlankMs));
Promise.all([loadPage(route.peek().place), Promise.race([known, isLate])]).then(draw, draw);
