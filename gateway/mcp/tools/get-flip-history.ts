import { countOf } from '../../../compute/model/count-of.js';
import { flipIntelligence } from '../../operations/analysis/flip-intelligence.js';
import { defineTool } from '../tool.js';

export const getFlipHistoryTool = defineTool({
  name: 'get_flip_history',
  operation: flipIntelligence,
  headline: ({ asset, interval, state, flips }) =>
    `${asset} is in state ${state ?? 'unknown'} on ${interval}; ${countOf(flips.length, 'transition')}, the newest first${flips.length > 0 ? `. ${flips[0].explanation}` : '.'}`,
  isWarm: ({ state }) => state !== null,
});
