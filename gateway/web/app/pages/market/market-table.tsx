import type { RoutePayload } from '../../client/routes.js';
import { withLivePrice } from '../../live/live-prices.js';
import { Change, RowLink, StateMark } from '../../parts/marks.js';
import { DataTable, figureColumn, type TableColumn, wordColumn } from '../../parts/data-table.js';
import { inFull, largeText, priceText } from '../../parts/formats.js';
import { isWatched } from '../../parts/preferences.js';
import { SparkLine } from '../../parts/spark-line.js';

type MarketAsset = RoutePayload<'GET /backend/market'>['assets'][number];

const columns: readonly TableColumn<MarketAsset>[] = [
  wordColumn(
    'Asset',
    ({ asset, name }) => (
      <>
        <RowLink to={`/app/asset/${asset}`} name={asset} more={name} />
        {isWatched(asset) && <span title="Watched"> ★</span>}
      </>
    ),
    'start',
    'asset',
  ),
  wordColumn('State', ({ state }) => <StateMark state={state} />, 'below', 'state'),
  figureColumn('Days', 'daysInState', inFull),
  {
    title: 'Price',
    isNumber: true,
    narrow: 'end',
    cell: (row) => <LivePrice row={row} />,
    by: (row) => withLivePrice(row).price,
  },
  {
    title: '24 h',
    isNumber: true,
    narrow: 'below-end',
    cell: (row) => <LiveChange row={row} />,
    by: (row) => withLivePrice(row).change24h,
  },
  wordColumn('7 days', ({ closes }) => <SparkLine values={closes} />),
  figureColumn('Volume', 'volume24h', largeText),
];

/** These are drawn anew by themselves, without their table. */
const LivePrice = ({ row }: { row: MarketAsset }) => <>{priceText(withLivePrice(row).price)}</>;
const LiveChange = ({ row }: { row: MarketAsset }) => <Change value={withLivePrice(row).change24h} />;

/** Every asset of the market, each a link to its page. */
export const MarketTable = ({ assets }: { assets: readonly MarketAsset[] }) => (
  <DataTable
    caption="Market"
    columns={columns}
    rows={assets}
    keyOf="asset"
    empty="No asset fits. Change what is in “Find” and “State”."
  />
);
