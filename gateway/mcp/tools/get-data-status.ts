import { countOf } from '../../../compute/model/count-of.js';
import { dataStatus } from '../../operations/analysis/data-status.js';
import { defineTool } from '../tool.js';

export const getDataStatusTool = defineTool({
  name: 'get_data_status',
  operation: dataStatus,
  headline: ({ source, asset, intervals, overdue, rateLimit }) => {
    const fresh = intervals.map(({ interval, lastClose, lagSeconds }) =>
      lagSeconds === 0 ? `${interval} up to ${lastClose}` : `${interval} ${lagSeconds} s behind`,
    );
    return `Candles of ${asset ?? 'all assets'} from ${source}: ${fresh.join(', ') || 'none'}; ${countOf(overdue.length, 'pair')} overdue; ${rateLimit.remaining} of ${rateLimit.limit} points left.`;
  },
});
