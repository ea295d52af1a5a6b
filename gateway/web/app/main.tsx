import { render } from 'preact';
import { startPolling } from './live/polling.js';
import { followLinks } from './shell/route.js';
import { loadSession } from './shell/session.js';
import { Shell } from './shell/shell.js';

followLinks();
startPolling();
void loadSession();
render(<Shell />, document.getElementById('app')!);
