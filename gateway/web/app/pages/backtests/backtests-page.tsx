import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Change } from '../../parts/change.js';
import { DataTable, type TableColumn } from '../../parts/data-table.js';
import { numberText, percentText } from '../../parts/formats.js';
import { PageHead } from '../../parts/page-head.js';
import { Panel } from '../../parts/panel.js';
import { Time } from '../../parts/time.js';

type StoredBacktest = RoutePayload<'GET /backend/backtests'>['backtests'][number];

const columns: readonly TableColumn<StoredBacktest>[] = [
  {
    name: 'backtest',
    title: 'Backtest',
    narrow: 'start',
    by: ({ asset }) => asset,
    cell: ({ id, name, strategy, asset }) => (
      <a class="asset" href={`/app/backtests/${id}`}>
        <strong>{name ?? strategy}</strong> <span class="quiet">on {asset}</span>
      </a>
    ),
  },
  { name: 'interval', title: 'Interval', cell: ({ interval }) => interval },
  { name: 'period', title: 'Period', cell: ({ period }) => period },
  {
    name: 'return',
    title: 'Return',
    isNumber: true,
    narrow: 'end',
    by: ({ totalReturn }) => totalReturn,
    cell: ({ totalReturn }) => <Change value={totalReturn} />,
  },
  {
    name: 'drawdown',
    title: 'Drawdown',
    isNumber: true,
    by: ({ maxDrawdown }) => maxDrawdown,
    cell: ({ maxDrawdown }) => percentText(maxDrawdown),
  },
  {
    name: 'sharpe',
    title: 'Sharpe',
    isNumber: true,
    by: ({ sharpe }) => sharpe,
    cell: ({ sharpe }) => numberText(sharpe),
  },
  {
    name: 'trades',
    title: 'Trades',
    isNumber: true,
    narrow: 'below-end',
    by: ({ tradeCount }) => tradeCount,
    cell: ({ tradeCount }) => `${tradeCount} trades`,
  },
  {
    name: 'made',
    title: 'Made',
    narrow: 'below',
    by: ({ createdAt }) => createdAt,
    cell: ({ createdAt, isKept }) => (
      <>
        <Time at={createdAt} /> {isKept && <span class="badge">kept</span>}
      </>
    ),
  },
];

/** The backtests of the user, the newest first. */
export function BacktestsPage() {
  const answer = useAnswer('GET /backend/backtests', { limit: 100 });
  return (
    <>
      <PageHead
        title="Backtests"
        tools={
          <a class="button" href="/app/backtests/new">
            New backtest
          </a>
        }
      />
      <Panel title="Stored" answer={answer} size={20}>
        {({ backtests }) => (
          <DataTable
            caption="Backtests"
            columns={columns}
            rows={backtests}
            keyOf={({ id }) => id}
            empty={
              <>
                No backtest yet. <a href="/app/backtests/new">Run the first one</a>: a strategy, an asset, and
                a year of candles are chosen already.
              </>
            }
          />
        )}
      </Panel>
    </>
  );
}
