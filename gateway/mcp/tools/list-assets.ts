import { listAssets } from '../../operations/analysis/list-assets.js';
import { defineTool } from '../tool.js';

/** As many rows as an answer holds: the cursor then names the last row that is shown. */
const mostRows = 70;

export const listAssetsTool = defineTool({
  name: 'list_assets',
  operation: listAssets,
  input: ({ limit, ...args }) => ({ ...args, limit: Math.min(Number(limit), mostRows) }),
  headline: ({ total, assets, tradeMarket, nextCursor }) =>
    `${total} assets against ${tradeMarket} match; ${assets.length} are shown${nextCursor === null ? '' : ', more with next_cursor'}.`,
});
