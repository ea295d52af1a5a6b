import { countOf } from '../../../compute/model/count-of.js';
import { listFollowedSignals } from '../../operations/signals/list-followed-signals.js';
import { defineTool } from '../tool.js';

export const listSignalsTool = defineTool({
  name: 'list_signals',
  operation: listFollowedSignals,
  headline: ({ signals, nextCursor }) => {
    const executed = signals.filter(({ isExecuted }) => isExecuted).length;
    return `${countOf(signals.length, 'signal')}, the newest first, ${executed} of them executed${nextCursor === null ? '' : '; more with next_cursor'}.`;
  },
});
