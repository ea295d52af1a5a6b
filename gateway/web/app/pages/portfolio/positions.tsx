import type { ComponentChildren } from 'preact';
import type { RoutePayload } from '../../client/routes.js';
import { AssetLink } from '../../parts/asset-link.js';
import { changeColumn, figureColumn, wordColumn } from '../../parts/columns.js';
import { DataTable, type TableColumn } from '../../parts/data-table.js';
import { numberText, priceText, quantityText } from '../../parts/formats.js';
import { StateMark } from '../../parts/state-mark.js';

type Position = RoutePayload<'GET /backend/portfolio'>['positions'][number];

const columns: readonly TableColumn<Position>[] = [
  wordColumn(
    'Asset',
    ({ asset, exchange, side, conflict, conflictsOn }) => (
      <>
        <AssetLink
          to={`/app/asset/${asset}`}
          name={asset}
          more={`${exchange} ${side === 'short' ? 'short' : ''}`}
        />
        {conflict && <span class="badge"> ⚠ against the trend on {conflictsOn.join(', ')}</span>}
      </>
    ),
    'start',
    'asset',
  ),
  wordColumn('State', ({ state1d }) => <StateMark state={state1d} />, 'below'),
  figureColumn('Quantity', 'quantity', quantityText),
  figureColumn('Entry', 'averageEntry', priceText),
  figureColumn('Price', 'price', priceText),
  figureColumn('Worth', 'value', undefined, 'end'),
  changeColumn('PnL', 'pnl', undefined, numberText),
  changeColumn('24 h', 'change24h', 'below-end'),
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
