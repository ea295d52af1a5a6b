import type { RoutePayload } from '../../client/routes.js';
import { Change } from '../../parts/change.js';
import { DataTable, type TableColumn } from '../../parts/data-table.js';
import { numberText, priceText, largeText } from '../../parts/formats.js';
import { SparkLine } from '../../parts/spark-line.js';
import { StateMark } from '../../parts/state-mark.js';

type MarketAsset = RoutePayload<'GET /backend/market'>['assets'][number];

const columns: readonly TableColumn<MarketAsset>[] = [
  {
    name: 'asset',
    title: 'Asset',
    narrow: 'start',
    by: ({ asset }) => asset,
    cell: ({ asset, name }) => (
      <a class="asset" href={`/app/asset/${asset}`}>
        <strong>{asset}</strong> <span class="quiet">{name}</span>
      </a>
    ),
  },
  {
    name: 'state',
    title: 'State',
    narrow: 'below',
    by: ({ state }) => state,
    cell: ({ state }) => <StateMark state={state} />,
  },
  {
    name: 'days',
    title: 'Days',
    isNumber: true,
    by: ({ daysInState }) => daysInState,
    cell: ({ daysInState }) => numberText(daysInState, 0),
  },
  {
    name: 'price',
    title: 'Price',
    isNumber: true,
    narrow: 'end',
    by: (each) => each.price,
    cell: (asset) => <span class="figure">{priceText(asset.price)}</span>,
  },
  {
    name: 'change',
    title: '24 h',
    isNumber: true,
    narrow: 'below-end',
    by: ({ change24h }) => change24h,
    cell: ({ change24h }) => <Change value={change24h} />,
  },
  { name: 'week', title: '7 days', cell: ({ closes }) => <SparkLine values={closes} /> },
  {
    name: 'volume',
    title: 'Volume',
    isNumber: true,
    by: ({ volume24h }) => volume24h,
    cell: ({ volume24h }) => largeText(volume24h),
  },
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
