import { countOf } from '../../../compute/model/count-of.js';
import { analysisNamed } from '../../../compute/analyses.js';
import { analysisOperation } from '../../operations/analysis/analysis-operation.js';
import { defineTool } from '../tool.js';

/** Most rows of an answer within its size; its cursor goes on after the last of them. */
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
    return `${countOf(total, 'matching asset')} on ${String(interval)}; ${states.length} shown${nextCursor === null ? '' : ', more with next_cursor'}.`;
  },
});
