import { countOf } from '../../../compute/model/count-of.js';
import { listSubscriptions } from '../../operations/signals/list-subscriptions.js';
import { defineTool } from '../tool.js';

export const listChannelSubscriptionsTool = defineTool({
  name: 'list_channel_subscriptions',
  operation: listSubscriptions,
  input: () => ({ results: true }),
  headline: ({ subscriptions }) => {
    const active = subscriptions.filter(({ autoInvest, isPaused }) => autoInvest && !isPaused).length;
    return `The user follows ${countOf(subscriptions.length, 'channel')}, ${active} of them with orders; results are the user's own.`;
  },
});
