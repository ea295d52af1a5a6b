import { allAnalyses, type AnyAnalysis } from '../../compute/analyses.js';
import { catalogue } from './catalogue.js';
import { extensionTools } from './extensions.js';
import { defineTool, type Tool } from './tool.js';
import { accountTools } from './tools/account-tools.js';
import { backtestTools } from './tools/backtest-tools.js';
import { marketTools } from './tools/market-tools.js';
import { signalTools } from './tools/signal-tools.js';
import type { AnsweredCandles } from '../../compute/analysis.js';
import { analysisOperation } from '../operations/analysis/analysis-operation.js';

const analysisTools = allAnalyses.map(analysisTool).filter((tool) => tool !== null);

const agreed = new Map(
  [...analysisTools, ...accountTools, ...backtestTools, ...marketTools, ...signalTools].map((tool) => [
    tool.listing.name,
    tool,
  ]),
);

/** Every tool: those of the catalogue in its order, then the extensions. */
export const tools: readonly Tool[] = [
  ...catalogue.flatMap(({ name }) => agreed.get(name) ?? []),
  ...extensionTools,
];

const byName = new Map(tools.map((tool) => [tool.listing.name, tool]));

/** The tool of that name; undefined for an unknown name. */
export const toolNamed = (name: string): Tool | undefined => byName.get(name);

/** The tool of an analysis, made of the name and headline in its description. Null for an analysis without a tool. */
function analysisTool(analysis: AnyAnalysis): Tool | null {
  const { tool } = analysis;
  if (!tool) return null;
  return defineTool({
    name: tool.name,
    operation: analysisOperation(analysis),
    interval: analysis.interval,
    headline: (payload, args) => tool.headline(payload as object & AnsweredCandles, args),
  });
}
