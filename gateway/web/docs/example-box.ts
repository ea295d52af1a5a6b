import { html, type Html } from '../html.js';

/** The same in several languages. Without a script the first is shown; a script adds a head line with the others and "Copy". */
export const exampleBox = (texts: Readonly<Record<string, string>>): Html =>
  html`<div class="example">
    ${Object.entries(texts).map(
      ([language, text], n) =>
        html`<pre
          tabindex="0"
          data-language="${language}"
          ${n > 0 ? html`hidden` : ''}
        ><code>${text}</code></pre>`,
    )}
  </div>`;
