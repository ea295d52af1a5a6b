import { goQuery, route } from '../shell/route.js';
import { Button } from './controls.js';
import { DataTable, type DataTableProps } from './data-table.js';
import { Panel, type PanelProps } from './page.js';

interface TablePanelProps<T, Row>
  extends Omit<PanelProps<T>, 'children'>, Omit<DataTableProps<Row>, 'rows' | 'caption'> {
  /** Default: the title. */
  caption?: string;
  rows: (payload: T) => readonly Row[];
  /** Where the older rows are; null after the last ones. */
  next?: (payload: T) => string | null;
}

/** A panel whose content is a table, of the newest rows or of older ones. */
export function TablePanel<T, Row>({ rows, next, cursor, ...props }: TablePanelProps<T, Row>) {
  const { title, tools, answer, size, caption = title, ...table } = props;
  return (
    <Panel {...{ title, tools, answer, size, cursor }}>
      {(payload) => (
        <>
          <DataTable {...table} caption={caption} rows={rows(payload)} />
          {next && <Older next={next(payload)} name={cursor} />}
        </>
      )}
    </Panel>
  );
}

/** Where the address says that a list goes on; nothing at its start. */
export function listedFrom(name = 'cursor'): { cursor?: string } {
  const cursor = route.value.query.get(name);
  return cursor === null ? {} : { cursor };
}

/** Leads to the older rows of a list, and back to the newest. */
export function Older({ next, name = 'cursor' }: { next: string | null; name?: string | undefined }) {
  const isLater = listedFrom(name).cursor !== undefined;
  if (next === null && !isLater) return null;
  return (
    <p class="actions">
      {isLater && <Button onClick={() => goQuery({ [name]: null }, false)}>Newest</Button>}
      {next !== null && <Button onClick={() => goQuery({ [name]: next }, false)}>Older</Button>}
    </p>
  );
}
