import { render } from 'preact';
import { followLinks } from './shell/route.js';
import { loadSession } from './shell/session.js';
import { Shell } from './shell/shell.js';

followLinks();
void loadSession();
render(<Shell />, document.getElementById('app')!);
