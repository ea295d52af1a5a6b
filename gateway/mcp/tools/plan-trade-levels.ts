import { formatNumber } from '../../../compute/model/format-number.js';
import { plannedTrade } from '../../operations/analysis/planned-trade.js';
import { defineTool } from '../tool.js';

export const planTradeLevelsTool = defineTool({
  name: 'plan_trade_levels',
  operation: plannedTrade,
  headline: ({ asset, side, entry, stop, targets }) =>
    `A ${side} of ${asset} from ${formatNumber(entry.min)} to ${formatNumber(entry.max)}, stop ${formatNumber(stop.price)}, targets ${targets.map(({ price }) => formatNumber(price)).join(', ')}. No advice, no order.`,
});
