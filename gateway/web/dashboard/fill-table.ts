import { element } from './element.js';
import { keepEqual } from './keep-equal.js';

export interface Column {
  title: string;
  className?: 'number' | 'wide' | 'action';
}

export type Cell = Node | string | number;

/** A row; its key names the same thing each time the table is filled. */
export interface Row {
  key: string;
  cells: readonly Cell[];
}

/**
 * Fills a table. Rows and cells that have not changed stay the elements they are, so that focus, selected text and the place
 * one has scrolled to stay, too. Roles are named because small screens show rows as blocks, not as a table.
 */
export function fillTable(table: HTMLElement, columns: readonly Column[], rows: readonly Row[]): void {
  table.setAttribute('role', 'table');
  const body = table.querySelector('tbody') ?? tableBody(table, columns);
  const known = new Map([...body.children].map((row) => [row.getAttribute('data-key'), row]));
  const none = element('td', 'none', { className: 'quiet', colspan: columns.length, role: 'cell' });
  const wanted = rows.length === 0 ? [tableRow('', [none])] : rows.map((row) => rowOf(row, columns));
  const shown = wanted.map((row) => {
    const old = known.get(row.getAttribute('data-key'));
    return old ? keepEqual(old, row) : row;
  });
  for (const row of Array.from(body.children)) if (!shown.includes(row)) row.remove();
  shown.forEach((row, n) => {
    if (body.children[n] !== row) body.insertBefore(row, body.children[n] ?? null);
  });
}

function tableBody(table: HTMLElement, columns: readonly Column[]): HTMLElement {
  const titles = columns.map(({ title, className = '' }) =>
    element('th', title, { className, scope: 'col', role: 'columnheader' }),
  );
  const body = element('tbody', '', { role: 'rowgroup' });
  table.replaceChildren(
    element('thead', [element('tr', titles, { role: 'row' })], { role: 'rowgroup' }),
    body,
  );
  return body;
}

const rowOf = ({ key, cells }: Row, columns: readonly Column[]): HTMLElement =>
  tableRow(
    key,
    cells.map((cell, n) =>
      element('td', cell instanceof Node ? [cell] : cell, {
        className: columns[n].className ?? '',
        role: 'cell',
        'data-title': columns[n].title,
      }),
    ),
  );

const tableRow = (key: string, cells: readonly HTMLElement[]): HTMLElement =>
  element('tr', cells, { role: 'row', 'data-key': key });
