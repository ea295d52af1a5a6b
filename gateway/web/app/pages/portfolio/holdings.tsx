import type { RoutePayload } from '../../client/routes.js';
import { type AnswerOf, useAnswer } from '../../client/use-answer.js';
import { Panel } from '../../parts/page.js';
import { FigureList } from '../../parts/lists.js';
import { StateMark, Time, Change } from '../../parts/marks.js';
import { column, type TableColumn, DataTable } from '../../parts/data-table.js';
import { numberText, priceText, quantityText, capital, shareText } from '../../parts/formats.js';
import { TablePanel } from '../../parts/table-panel.js';
import { useState } from 'preact/hooks';
import { Choice } from '../../parts/controls.js';

type Position = RoutePayload<'GET /backend/portfolio'>['positions'][number];

const columns: readonly TableColumn<Position>[] = [
  column.link(
    'Asset',
    ({ asset, exchange, side, conflict, conflictsOn }) => [
      `/app/portfolio/${asset}`,
      asset,
      `${exchange} ${side === 'short' ? 'short' : ''}`,
      conflict && <span class="badge">⚠ against the trend on {conflictsOn.join(', ')}</span>,
    ],
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

type ProfitRow = RoutePayload<'GET /backend/pnl'>['rows'][number];

const groups = ['asset', 'exchange', 'channel', 'day'] as const;
const periods = ['7d', '30d', '1y'] as const;

/** Booked and open profits, by what the user chooses. */
export function Profits() {
  const [groupBy, setGroupBy] = useState<(typeof groups)[number]>('asset');
  const [period, setPeriod] = useState<(typeof periods)[number]>('30d');
  const answer = useAnswer('GET /backend/pnl', { groupBy, period }, ['position', 'order']);
  return (
    <Panel
      title="PnL"
      answer={answer}
      size={10}
      tools={
        <span class="tools">
          <Choice label="By" value={groupBy} options={groups} onChange={setGroupBy} />
          <Choice label="Since" value={period} options={periods} onChange={setPeriod} />
        </span>
      }
    >
      {({ rows, totals }) => (
        <>
          {totals.map(({ tradeMarket, profit, funding, trades, winRatePercent }) => (
            <p key={tradeMarket}>
              <Change value={profit} text={`${numberText(profit)} ${tradeMarket}`} /> in {trades} trades, won{' '}
              {shareText(winRatePercent)}, funding {numberText(funding)}
            </p>
          ))}
          <DataTable<ProfitRow>
            caption="Profits"
            rows={rows}
            keyOf={({ group, tradeMarket }) => group + tradeMarket}
            empty="Nothing was sold in this time."
            columns={[
              column.word(capital(groupBy), 'group', 'start'),
              column.change('Profit', 'profit', 'end', numberText),
              column.change('Open', 'unrealised', 'below-end', numberText),
              column.word('Fees', ({ fees }) =>
                fees.map(({ asset, amount }) => `${quantityText(amount)} ${asset}`).join(', '),
              ),
            ]}
          />
        </>
      )}
    </Panel>
  );
}
