import { render } from 'preact';
import { startLive } from './live/stream.js';
import { loadPreferences } from './parts/preferences.js';
import { followLinks } from './shell/route.js';
import { loadSession, session } from './shell/session.js';
import { Shell } from './shell/shell.js';

followLinks();
void loadSession().then(() => {
  const user = session.value?.user;
  if (user) void loadPreferences();
  const own = user ? ',positions,signals' : '';
  startLive(`prices,flips,candles${own}${user?.isOperator ? ',cluster' : ''}`, user?.email ?? '');
});
render(<Shell />, document.getElementById('app')!);
