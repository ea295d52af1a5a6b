import { analysisNamed } from '../../../compute/analyses.js';
import { analysisOperation } from '../../operations/analysis/analysis-operation.js';
import { defineTool } from '../tool.js';

/** As many rows as an answer holds: the cursor then names the last row that is shown. */
const mostRows = 60;

interface ScannedStates {
  total: number;
  states: { asset: string; state: string | null }[];
  nextCursor: string | null;
}

export const scanTrendStatesTool = defineTool({
  name: 'scan_trend_states',
  operation: analysisOperation(analysisNamed('scan-states')),
  input: ({ limit, ...args }) => ({ ...args, limit: Math.min(Number(limit), mostRows) }),
  headline: (payload, { interval }) => {
    const { total, states, nextCursor } = payload as ScannedStates;
    return `${total} assets match on ${String(interval)}; ${states.length} are shown${nextCursor === null ? '' : ', more with next_cursor'}.`;
  },
});
