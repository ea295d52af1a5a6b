import { element } from './element.js';

export interface Column {
  title: string;
  className?: 'number' | 'wide';
}

export type Cell = Node | string | number;

/** Replaces the content of a table. Each row has one cell per column. */
export function fillTable(table: HTMLElement, columns: readonly Column[], rows: readonly Cell[][]): void {
  const titles = columns.map(({ title, className = '' }) =>
    element('th', title, { className, scope: 'col' }),
  );
  const none = element('td', 'none', { className: 'quiet', colspan: columns.length });
  const body = rows.length === 0 ? [element('tr', [none])] : rows.map((row) => tableRow(row, columns));
  table.replaceChildren(element('thead', [element('tr', titles)]), element('tbody', body));
}

function tableRow(cells: readonly Cell[], columns: readonly Column[]): HTMLElement {
  const made = cells.map((cell, n) =>
    element('td', cell instanceof Node ? [cell] : cell, { className: columns[n].className ?? '' }),
  );
  return element('tr', made);
}
