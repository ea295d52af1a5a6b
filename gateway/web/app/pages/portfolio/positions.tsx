import type { RoutePayload } from '../../client/routes.js';
import type { AnswerOf } from '../../client/use-answer.js';
import { Panel } from '../../parts/page.js';
import { RowLink, StateMark } from '../../parts/marks.js';
import {
  changeColumn,
  DataTable,
  figureColumn,
  type TableColumn,
  wordColumn,
} from '../../parts/data-table.js';
import { numberText, priceText, quantityText } from '../../parts/formats.js';

type Position = RoutePayload<'GET /backend/portfolio'>['positions'][number];

const columns: readonly TableColumn<Position>[] = [
  wordColumn(
    'Asset',
    ({ asset, exchange, side, conflict, conflictsOn }) => (
      <>
        <RowLink
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
export const Positions = ({ answer }: { answer: AnswerOf<'GET /backend/portfolio'> }) => (
  <Panel title="Positions" answer={answer} size={14}>
    {({ positions }) => (
      <DataTable
        caption="Positions"
        columns={columns}
        rows={positions}
        keyOf={({ exchange, account, asset }) => exchange + account + asset}
        empty={
          <>
            Nothing is held yet. “Add a paper holding” takes two clicks, or{' '}
            <a href="/account/exchanges">connect an exchange</a>.
          </>
        }
      />
    )}
  </Panel>
);
