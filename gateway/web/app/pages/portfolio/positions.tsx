import type { ComponentChildren } from 'preact';
import type { RoutePayload } from '../../client/routes.js';
import { Change } from '../../parts/change.js';
import { DataTable, type TableColumn } from '../../parts/data-table.js';
import { numberText, priceText, quantityText } from '../../parts/formats.js';
import { StateMark } from '../../parts/state-mark.js';

type Position = RoutePayload<'GET /backend/portfolio'>['positions'][number];

const columns: readonly TableColumn<Position>[] = [
  {
    name: 'asset',
    title: 'Asset',
    narrow: 'start',
    by: ({ asset }) => asset,
    cell: ({ asset, exchange, side, conflict, conflictsOn }) => (
      <>
        <a class="asset" href={`/app/asset/${asset}`}>
          <strong>{asset}</strong>
        </a>{' '}
        <span class="quiet">
          {exchange} {side === 'short' && 'short'}
        </span>
        {conflict && <span class="badge"> ⚠ against the trend on {conflictsOn.join(', ')}</span>}
      </>
    ),
  },
  { name: 'state', title: 'State', narrow: 'below', cell: ({ state1d }) => <StateMark state={state1d} /> },
  { name: 'quantity', title: 'Quantity', isNumber: true, cell: ({ quantity }) => quantityText(quantity) },
  { name: 'entry', title: 'Entry', isNumber: true, cell: ({ averageEntry }) => priceText(averageEntry) },
  {
    name: 'price',
    title: 'Price',
    isNumber: true,
    cell: ({ price }) => priceText(price),
  },
  {
    name: 'worth',
    title: 'Worth',
    isNumber: true,
    narrow: 'end',
    by: ({ value }) => value,
    cell: ({ value }) => numberText(value),
  },
  {
    name: 'pnl',
    title: 'PnL',
    isNumber: true,
    by: ({ pnl }) => pnl,
    cell: ({ pnl }) => <Change value={pnl} text={numberText(pnl)} />,
  },
  {
    name: 'day',
    title: '24 h',
    isNumber: true,
    narrow: 'below-end',
    cell: ({ change24h }) => <Change value={change24h} />,
  },
];

/** What is held now. */
export const Positions = ({
  positions,
  empty,
}: {
  positions: readonly Position[];
  empty: ComponentChildren;
}) => (
  <DataTable
    caption="Positions"
    columns={columns}
    rows={positions}
    keyOf={({ exchange, account, asset }) => exchange + account + asset}
    empty={empty}
  />
);
