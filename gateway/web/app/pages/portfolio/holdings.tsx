import type { RoutePayload } from '../../client/routes.js';
import type { AnswerOf } from '../../client/use-answer.js';
import { Panel } from '../../parts/page.js';
import { FigureList } from '../../parts/lists.js';
import { RowLink, StateMark, Time } from '../../parts/marks.js';
import { column, type TableColumn } from '../../parts/data-table.js';
import { numberText, priceText, quantityText } from '../../parts/formats.js';
import { TablePanel } from '../../parts/table-panel.js';

type Position = RoutePayload<'GET /backend/portfolio'>['positions'][number];

const columns: readonly TableColumn<Position>[] = [
  column.word(
    'Asset',
    ({ asset, exchange, side, conflict, conflictsOn }) => (
      <>
        <RowLink
          to={`/app/asset/${asset}`}
          name={asset}
          more={`${exchange} ${side === 'short' ? 'short' : ''}`}
        />
        {conflict && ' '}
        {conflict && <span class="badge">⚠ against the trend on {conflictsOn.join(', ')}</span>}
      </>
    ),
    'start',
    'asset',
  ),
  column.word('State', ({ state1d }) => <StateMark state={state1d} />, 'below'),
  column.figure('Quantity', 'quantity', quantityText),
  column.figure('Entry', 'averageEntry', priceText),
  column.figure('Price', 'price', priceText),
  column.figure('Worth (USDT)', 'value', undefined, 'end'),
  column.change('PnL (USDT)', 'pnl', undefined, numberText),
  column.change('24 h', 'change24h', 'below-end'),
];

/** What is held now. */
export const Positions = ({ answer }: { answer: AnswerOf<'GET /backend/portfolio'> }) => (
  <TablePanel
    title="Positions"
    answer={answer}
    size={14}
    caption="Positions"
    columns={columns}
    rows={({ positions }) => positions}
    keyOf={({ exchange, account, asset }) => exchange + account + asset}
    empty={
      <>
        Nothing is held yet. “Add a paper holding” takes two clicks, or{' '}
        <a href="/account/exchanges">connect an exchange</a>.
      </>
    }
  />
);

/** The accounts that are read, and whether that works. */
export const Accounts = ({ answer }: { answer: AnswerOf<'GET /backend/exchanges'> }) => (
  <Panel
    title="Accounts"
    answer={answer}
    size={6}
    tools={
      <a class="button plain small" href="/account/exchanges">
        Connect an exchange
      </a>
    }
  >
    {({ exchanges }) =>
      exchanges.length === 0 ? (
        'None yet. A paper account comes with the first paper holding.'
      ) : (
        <FigureList
          rows={exchanges.map(({ exchange, fault, syncedAt, mayTrade }) => [
            exchange,
            mayTrade ? '' : 'read only',
            <>
              {fault === null ? '✓ ok' : `✗ ${fault}`}{' '}
              {syncedAt !== null && (
                <span class="quiet">
                  read <Time at={syncedAt} />
                </span>
              )}
            </>,
          ])}
        />
      )
    }
  </Panel>
);
