import { effect } from '@preact/signals';
import { render } from 'preact';
import { askEarly } from './client/use-answer.js';
import { startLive } from './live/stream.js';
import { chartInterval, loadPreferences } from './parts/preferences.js';
import { whenIdle } from './parts/when-idle.js';
import { followLinks, route } from './shell/route.js';
import { loadSession, session, userEmail } from './shell/session.js';
import { Shell } from './shell/shell.js';
import { loadPage } from './shell/shown-page.js';

/** After that the page is drawn without knowing whose browser it is. */
const longestBlankMs = 500;

followLinks();
const { place, query } = route.peek();
const begun = Promise.allSettled([
  loadSession(),
  place?.hasMarket && askEarly('GET /backend/market', { interval: chartInterval(query.get('interval')) }),
]);
effect(() => {
  const email = userEmail.value;
  if (email === null) return;
  const user = session.peek()?.user;
  if (user) void loadPreferences();
  const own = user ? ',positions,signals' : '';
  whenIdle(() => startLive(`prices,flips,candles${own}${user?.isOperator ? ',cluster' : ''}`, email));
});
// Another tab may have ended the session, or begun that of another user; a page out of the browser's history knows nothing of it.
const look = () => void (document.hidden || loadSession());
document.addEventListener('visibilitychange', look);
window.addEventListener('pageshow', ({ persisted }) => persisted && look());
// The document names the file of its page, and asks who uses the browser and for the market: all of it comes with this file, so that
// nothing is drawn twice.
const draw = () => render(<Shell />, document.getElementById('app')!);
const isLate = new Promise((resolve) => setTimeout(resolve, longestBlankMs));
Promise.all([loadPage(place), Promise.race([begun, isLate])]).then(draw, draw);
