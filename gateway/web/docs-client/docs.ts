import { markCurrentSection } from './current-section.js';
import { addExampleHeads } from './example-heads.js';
import { openSearch } from './search.js';

/** What the documentation has beyond a page that is only read: it works without this script, too. */

// When everything was one page, each endpoint was an anchor of it: a link of that name stands there now.
const moved = document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (moved instanceof HTMLAnchorElement) location.replace(moved.href);

addExampleHeads();
markCurrentSection();
openSearch();
