import { effect } from '@preact/signals';
import { render } from 'preact';
import { LazyPriceChart } from './charts/lazy-charts.js';
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
const known = loadSession();
if (place?.hasMarket) askEarly('GET /backend/market', { interval: chartInterval(query.get('interval')) });
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
// The document names the file of its page, and asks who uses the browser and for the market: they come with this file, so that nothing
// is drawn twice.
const draw = () => {
  render(<Shell />, document.getElementById('app')!);
  // While the answers are on their way. Where it fails, the chart says so.
  if (place?.hasChart) whenIdle(() => void LazyPriceChart.load().catch(() => undefined));
};
const isLate = new Promise((resolve) => setTimeout(resolve, longestBlankMs));
Promise.all([loadPage(place), Promise.race([known, isLate])]).then(draw, draw);
