import { addCopyButtons } from './copy-buttons.js';
import { markCurrentSection } from './current-section.js';
import { openSearch } from './search.js';

/** What the documentation has beyond a page that is only read: it works without this script, too. */

addCopyButtons();
markCurrentSection();
openSearch();
