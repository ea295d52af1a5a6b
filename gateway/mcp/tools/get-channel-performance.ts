import { channelPerformance } from '../../operations/signals/channel-performance.js';
import { defineTool } from '../tool.js';

export const getChannelPerformanceTool = defineTool({
  name: 'get_channel_performance',
  operation: channelPerformance,
  headline: ({ total, period, channels }) => {
    const [best] = channels;
    return `${total} channels over ${period}${best ? `; first is "${best.channel}" with ${best.expectancyR === null ? 'no known expectancy' : `an expectancy of ${best.expectancyR.toFixed(2)} R`} over ${best.traded} traded signals` : ''}. Names are words of partners.`;
  },
});
