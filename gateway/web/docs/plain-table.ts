import { html, type Html } from '../html.js';

type Cell = Html | string | number;

/** A table of the documentation. `fields` gives names, types and meanings their widths. */
export const plainTable = (
  titles: readonly string[],
  rows: readonly (readonly Cell[])[],
  look: 'fields' | 'even' = 'fields',
): Html =>
  html`<table class="${look}">
    <thead>
      <tr>
        ${titles.map((title) => html`<th scope="col">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
