import { countOf } from '../../../compute/model/count-of.js';
import { listAssets } from '../../operations/analysis/list-assets.js';
import { defineTool } from '../tool.js';

/** Most rows of an answer within its size; its cursor goes on after the last of them. */
const mostRows = 70;

export const listAssetsTool = defineTool({
  name: 'list_assets',
  operation: listAssets,
  input: ({ limit, ...args }) => ({ ...args, limit: Math.min(Number(limit), mostRows) }),
  headline: ({ total, assets, tradeMarket, nextCursor }) =>
    `${countOf(total, 'matching asset')} against ${tradeMarket}; ${assets.length} shown${nextCursor === null ? '' : ', more with next_cursor'}.`,
});
