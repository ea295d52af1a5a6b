import { addCopyButtons } from './copy-buttons.js';
import { markCurrentSection } from './current-section.js';

/** What the help pages have beyond pages that are only read: they work without this script, too. */

addCopyButtons();
markCurrentSection();
