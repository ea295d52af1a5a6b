import type { ComponentChildren } from 'preact';
import { useAnswer } from '../../client/use-answer.js';
import { PageHead, Panel } from '../../parts/page.js';
import { goQuery, type PageProps } from '../../shell/route.js';
import { session } from '../../shell/session.js';
import { chartInterval, IntervalChoice, isWatched } from '../../parts/preferences.js';
import { Select } from '../../parts/controls.js';
import { SparkLine, StateMark, stateShapes, Time } from '../../parts/marks.js';
import { column, DataTable, type TableColumn } from '../../parts/data-table.js';
import { inFull, largeText, priceText } from '../../parts/formats.js';
import { withLivePrice } from '../../live/live-prices.js';
import type { RoutePayload } from '../../client/routes.js';
import { Overview, Today } from './today.js';

/** The market as a table: where the trend of every asset stands, what it costs and how it went. */
export function MarketPage({ query }: PageProps) {
  const interval = chartInterval(query.get('interval'));
  const answer = useAnswer('GET /backend/market', { interval }, ['candle', 'flip']);
  const find = query.get('find') ?? '';
  const state = query.get('state') ?? 'all';
  return (
    <>
      <PageHead title="Market" />
      {session.value?.user && <Today market={answer.data} />}
      <Overview interval={interval} />
      <Panel
        title="Assets"
        answer={answer}
        size={40}
        tools={
          answer.data && (
            <span class="quiet end">
              as of <Time at={answer.data.asOf} />
            </span>
          )
        }
      >
        {({ assets }) => (
          <>
            <div class="filters">
              <label>
                Find{' '}
                <input
                  type="search"
                  maxLength={60}
                  value={find}
                  placeholder="BTC, Bitcoin"
                  onInput={({ currentTarget }) => goQuery({ find: currentTarget.value })}
                />
              </label>
              <label>
                State{' '}
                <Select
                  value={state}
                  options={shownStates}
                  onChange={(chosen) => goQuery({ state: chosen === 'all' ? null : chosen })}
                />
              </label>
              <IntervalChoice value={interval} />
            </div>
            <DataTable
              caption="Market"
              columns={columns}
              rows={assets
                .filter((each) => isFound(each, find, state))
                .toSorted((a, b) => Number(isWatched(b.asset)) - Number(isWatched(a.asset)))}
              keyOf="asset"
              empty="No asset fits. Change what is in “Find” and “State”."
            />
          </>
        )}
      </Panel>
    </>
  );
}

const shownStates = {
  all: 'All',
  ...Object.fromEntries(Object.entries(stateShapes).map(([name, shape]) => [name, `${shape} ${name}`])),
};

const isFound = ({ asset, name, state }: MarketAsset, find: string, wanted: string): boolean =>
  (wanted === 'all' || state === wanted) &&
  `${asset} ${name ?? ''}`.toLowerCase().includes(find.trim().toLowerCase());

type MarketAsset = RoutePayload<'GET /backend/market'>['assets'][number];

const Drawn = ({ draw }: { draw: () => ComponentChildren }) => <>{draw()}</>;

/** The column with cells that are drawn anew by themselves, without their table. */
const live = <Row,>({ cell, ...rest }: TableColumn<Row>): TableColumn<Row> => ({
  ...rest,
  cell: (row) => <Drawn draw={() => cell(row)} />,
});

const columns: readonly TableColumn<MarketAsset>[] = [
  column.link(
    'Asset',
    ({ asset, name }) => [
      `/app/asset/${asset}`,
      asset,
      name,
      isWatched(asset) && <span title="Watched">★</span>,
    ],
    'asset',
  ),
  column.word('State', ({ state }) => <StateMark state={state} />, 'below', 'state'),
  column.figure('Days', 'daysInState', inFull),
  live(column.figure<MarketAsset>('Price', (row) => withLivePrice(row).price, priceText, 'end')),
  live(column.change<MarketAsset>('24 h', (row) => withLivePrice(row).change24h, 'below-end')),
  column.word('7 days', ({ closes }) => <SparkLine values={closes} />),
  column.figure('Volume', 'volume24h', largeText),
];
