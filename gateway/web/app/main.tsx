import { render } from 'preact';
import { startLive } from './live/stream.js';
import { loadPreferences } from './parts/preferences.js';
import { followLinks, route } from './shell/route.js';
import { loadSession, session } from './shell/session.js';
import { Shell } from './shell/shell.js';
import { loadPage } from './shell/shown-page.js';

followLinks();
void loadSession().then(() => {
  const user = session.value?.user;
  if (user) void loadPreferences();
  const own = user ? ',positions,signals' : '';
  startLive(`prices,flips,candles${own}${user?.isOperator ? ',cluster' : ''}`, user?.email ?? '');
});
// The document names the file of its page, which comes with this one: nothing is drawn twice.
const draw = () => render(<Shell />, document.getElementById('app')!);
loadPage(route.peek().place?.file).then(draw, draw);
