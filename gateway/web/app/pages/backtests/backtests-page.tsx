import type { RoutePayload } from '../../client/routes.js';
import { useAnswer } from '../../client/use-answer.js';
import { Time } from '../../parts/marks.js';
import { column, type TableColumn } from '../../parts/data-table.js';
import { inFull, percentText } from '../../parts/formats.js';
import { PageHead } from '../../parts/page.js';
import { listedFrom, TablePanel } from '../../parts/table-panel.js';

type Run = RoutePayload<'GET /backend/research/runs'>['runs'][number];

/** A backtest of either kind in a list. */
interface ListedBacktest extends Omit<Run, 'id' | 'strategy' | 'strategyHash' | 'assets' | 'window'> {
  href: string;
  name: string;
  assets: string;
  period: string;
  isKept?: boolean;
}

const columns: readonly TableColumn<ListedBacktest>[] = [
  column.link('Backtest', ({ href, name, assets }) => [href, name, `on ${assets}`], 'assets'),
  column.word('Interval', 'interval'),
  column.word('Period', 'period'),
  column.change('Return', 'totalReturn', 'end'),
  column.figure('Drawdown', 'maxDrawdown', percentText),
  column.figure('Sharpe', 'sharpe'),
  column.figure('Trades', 'tradeCount', inFull, 'below-end'),
  column.word(
    'Made',
    ({ createdAt, isKept }) => (
      <>
        <Time at={createdAt} /> {isKept && <span class="badge">kept</span>}
      </>
    ),
    'below',
    'createdAt',
  ),
];

/** The backtests of the user, of built-in strategies and of own rules, the newest first. */
export const BacktestsPage = () => (
  <>
    <PageHead
      title="Backtests"
      tools={
        <a class="button" href="/app/backtests/new">
          New backtest
        </a>
      }
    />
    <TablePanel
      title="Built-in strategies"
      answer={useAnswer('GET /backend/backtests', { limit: 100, ...listedFrom() })}
      size={20}
      columns={columns}
      keyOf="href"
      caption="Backtests"
      rows={({ backtests }) =>
        backtests.map(({ id, name, strategy, asset, ...rest }) => ({
          ...rest,
          href: `/app/backtests/${id}`,
          name: name ?? strategy,
          assets: asset,
        }))
      }
      next={({ nextCursor }) => nextCursor}
      empty={
        <>
          No backtest yet. <a href="/app/backtests/new">Run the first one</a>: a strategy, an asset, and a
          year of candles are chosen already.
        </>
      }
    />
    <TablePanel
      title="Own rules"
      answer={useAnswer('GET /backend/research/runs', { limit: 100, ...listedFrom('runs') })}
      size={12}
      columns={columns}
      keyOf="href"
      caption="Backtests of own rules"
      rows={({ runs }) =>
        runs.map(({ id, strategy, assets, window, ...rest }) => ({
          ...rest,
          href: `/app/backtests/rules/${id}`,
          name: strategy ?? 'own rules',
          assets: assets.join(', '),
          period: `${window.from.slice(0, 10)} to ${window.to.slice(0, 10)}`,
        }))
      }
      next={({ nextCursor }) => nextCursor}
      cursor="runs"
      empty={
        <>
          None yet. <a href="/app/backtests/new?rules=">Write the first ones</a>, line by line.
        </>
      }
    />
  </>
);
