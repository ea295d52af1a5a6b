import { analysisNamed } from '../../../compute/analyses.js';
import { countOf } from '../../../compute/model/count-of.js';
import { formatNumber } from '../../../compute/model/format-number.js';
import { analysisOperation } from '../../operations/analysis/analysis-operation.js';
import { defineTool } from '../tool.js';

/** The parts of the answer that the headline reads. */
interface ComparedAnswer {
  runs: { strategy: string; asset: string; totalReturn: number | null; significant: boolean }[];
  refused: object[];
}

export const compareBacktestsTool = defineTool({
  name: 'compare_backtests',
  operation: analysisOperation(analysisNamed('compare')),
  // The tool takes names of strategies; over REST they have parameters, too.
  input: ({ strategies, ...rest }) => ({
    ...rest,
    strategies: (strategies as string[]).map((name) => ({ name, params: {} })),
  }),
  headline: (payload) => {
    const { runs, refused } = payload as ComparedAnswer;
    const [best] = runs;
    if (!best) return `None of the ${countOf(refused.length, 'combination')} could be computed.`;
    const left = refused.length === 0 ? '' : `; ${refused.length} could not be computed`;
    const significant = runs.filter((run) => run.significant).length;
    const earned = best.totalReturn === null ? 'unknown' : `${formatNumber(best.totalReturn, 4)} %`;
    return `${countOf(runs.length, 'combination')} by Sharpe ratio; first ${best.strategy} on ${best.asset} with a return of ${earned}; ${significant} significant after correction for multiple testing${left}.`;
  },
});
