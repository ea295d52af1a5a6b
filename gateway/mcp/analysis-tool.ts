import type { AnyAnalysis } from '../../compute/analyses.js';
import type { AnsweredCandles } from '../../compute/analysis.js';
import { analysisOperation } from '../operations/analysis/analysis-operation.js';
import { defineTool, type Tool } from './tool.js';

/** The tool of an analysis, made of the name and headline in its description. Null for an analysis without a tool. */
export function analysisTool(analysis: AnyAnalysis): Tool | null {
  const { tool } = analysis;
  if (!tool) return null;
  return defineTool({
    name: tool.name,
    operation: analysisOperation(analysis),
    interval: analysis.interval,
    headline: (payload) => tool.headline(payload as object & AnsweredCandles),
  });
}
