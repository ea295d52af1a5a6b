import type { RoutePayload } from '../../client/routes.js';
import { AssetLink } from '../../parts/asset-link.js';
import { changeColumn, figureColumn, wordColumn } from '../../parts/columns.js';
import { DataTable, type TableColumn } from '../../parts/data-table.js';
import { inFull, largeText, priceText } from '../../parts/formats.js';
import { isWatched } from '../../parts/preferences.js';
import { SparkLine } from '../../parts/spark-line.js';
import { StateMark } from '../../parts/state-mark.js';

type MarketAsset = RoutePayload<'GET /backend/market'>['assets'][number];

const columns: readonly TableColumn<MarketAsset>[] = [
  wordColumn(
    'Asset',
    ({ asset, name }) => (
      <>
        <AssetLink to={`/app/asset/${asset}`} name={asset} more={name} />
        {isWatched(asset) && <span title="Watched"> ★</span>}
      </>
    ),
    'start',
    ({ asset }) => asset,
  ),
  wordColumn(
    'State',
    ({ state }) => <StateMark state={state} />,
    'below',
    ({ state }) => state,
  ),
  figureColumn('Days', ({ daysInState }) => daysInState, inFull),
  figureColumn('Price', (each) => each.price, priceText, 'end'),
  changeColumn('24 h', ({ change24h }) => change24h, 'below-end'),
  wordColumn('7 days', ({ closes }) => <SparkLine values={closes} />),
  figureColumn('Volume', ({ volume24h }) => volume24h, largeText),
];

/** Every asset of the market, each a link to its page. */
export const MarketTable = ({ assets }: { assets: readonly MarketAsset[] }) => (
  <DataTable
    caption="Market"
    columns={columns}
    rows={assets}
    keyOf={({ asset }) => asset}
    empty="No asset fits. Change what is in “Find” and “State”."
  />
);
