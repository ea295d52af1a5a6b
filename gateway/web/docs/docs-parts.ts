import type { Settings } from '../../../storage/process/settings.js';
import { version } from '../../../storage/process/version.js';
import { docsBase } from '../../prepared/documentation.js';
import { preparedText } from '../../prepared/prepared-text.js';
import { html } from '../html.js';
import type { DocsParts } from './docs-pages.js';
import { connectHelp } from './help/connect-help.js';
import { requestsHelp } from './help/requests-help.js';
import { signalsHelp } from './help/signals-help.js';
import { tokensHelp } from './help/tokens-help.js';
import type { DocsSubject } from './subjects.js';

/** What the pages of the documentation are made of. */
export function docsParts(settings: Settings): DocsParts {
  const base = docsBase(settings);
  const ADDRESS = JSON.stringify(html`${base}`.text).slice(1, -1);
  return {
    title: 'Tidemark',
    version,
    base,
    guides: [requestsHelp(settings, base), signalsHelp(base), connectHelp(base), tokensHelp(base)],
    subjects: JSON.parse(preparedText('docs.json', { ADDRESS })) as DocsSubject[],
  };
}
