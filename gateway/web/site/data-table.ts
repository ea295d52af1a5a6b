import { html, type Html } from '../html.js';

type Cell = Html | string | number;

interface TableOptions {
  caption: string;
  titles: readonly string[];
  /** The first cell of a row is its heading. */
  rows: readonly (readonly Cell[])[];
  /** Said where there are no rows. */
  empty?: string;
  /** Whether the last cells are buttons, which need no title beside them. */
  hasActions?: boolean;
}

/** A table whose rows become cards in a narrow window. */
export function dataTable({ caption, titles, rows, empty = '', hasActions = false }: TableOptions): Html {
  if (rows.length === 0) return html`<p class="quiet">${empty}</p>`;
  const head = titles.map((title) => html`<th scope="col">${title}</th>`);
  const cell = (content: Cell, column: number) =>
    hasActions && column === titles.length - 1
      ? html`<td>${content}</td>`
      : html`<td data-title="${titles[column]}">${content}</td>`;
  const body = rows.map(
    ([first, ...rest]) =>
      html`<tr>
        <th scope="row">${first}</th>
        ${rest.map((content, n) => cell(content, n + 1))}
      </tr>`,
  );
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${body}
    </tbody>
  </table>`;
}
