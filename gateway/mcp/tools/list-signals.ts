import { listFollowedSignals } from '../../operations/signals/list-followed-signals.js';
import { defineTool } from '../tool.js';

export const listSignalsTool = defineTool({
  name: 'list_signals',
  operation: listFollowedSignals,
  headline: ({ signals, nextCursor }) => {
    const executed = signals.filter(({ isExecuted }) => isExecuted).length;
    return `${signals.length} signals, the newest first, ${executed} of them executed${nextCursor === null ? '' : '; more with next_cursor'}.`;
  },
});
