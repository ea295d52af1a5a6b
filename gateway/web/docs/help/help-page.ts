import { html, type Html } from '../../html.js';

/** A part of a guide; its id is the anchor in the URL. */
interface HelpSection {
  id: string;
  title: string;
  body: Html;
}

/** A guide: a page at `/docs/<slug>`. */
export interface HelpPage {
  slug: string;
  title: string;
  /** What it is about, in a sentence, for those who look for it. */
  summary: string;
  intro: Html;
  sections: readonly HelpSection[];
}

/** A command, setting or program, as it is to be typed. */
export const codeBlock = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;
