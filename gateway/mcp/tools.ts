import { allAnalyses, type AnyAnalysis } from '../../compute/analyses.js';
import { catalogue } from './catalogue.js';
import { extensionTools } from './extensions.js';
import { defineTool, type Tool } from './tool.js';
import { askAssistantTool } from './tools/ask-assistant.js';
import { askGuestAssistantTool } from './tools/ask-guest-assistant.js';
import { assessRiskTool } from './tools/assess-risk.js';
import { compareBacktestsTool } from './tools/compare-backtests.js';
import { getAccountAccessTool } from './tools/get-account-access.js';
import { getBacktestResultTool } from './tools/get-backtest-result.js';
import { getBalancesTool } from './tools/get-balances.js';
import { getCandlesTool } from './tools/get-candles.js';
import { getChannelPerformanceTool } from './tools/get-channel-performance.js';
import { getConversationTool } from './tools/get-conversation.js';
import { getDataStatusTool } from './tools/get-data-status.js';
import { getEquityCurveTool } from './tools/get-equity-curve.js';
import { getExchangeRulesTool } from './tools/get-exchange-rules.js';
import { getFlipHistoryTool } from './tools/get-flip-history.js';
import { getOrderTimelineTool } from './tools/get-order-timeline.js';
import { getPnlSummaryTool } from './tools/get-pnl-summary.js';
import { getPortfolioRiskTool } from './tools/get-portfolio-risk.js';
import { getPortfolioStatusTool } from './tools/get-portfolio-status.js';
import { getPositionDetailsTool } from './tools/get-position-details.js';
import { getPriceTool } from './tools/get-price.js';
import { getSignalDetailsTool } from './tools/get-signal-details.js';
import { getStrategyLeaderboardTool } from './tools/get-strategy-leaderboard.js';
import { getTrendChartTool } from './tools/get-trend-chart.js';
import { listAssetsTool } from './tools/list-assets.js';
import { listBacktestStrategiesTool } from './tools/list-backtest-strategies.js';
import { listChannelSubscriptionsTool } from './tools/list-channel-subscriptions.js';
import { listExchangeConnectionsTool } from './tools/list-exchange-connections.js';
import { listExchangesTool } from './tools/list-exchanges.js';
import { listIndicatorsTool } from './tools/list-indicators.js';
import { listOrdersTool } from './tools/list-orders.js';
import { listSignalsTool } from './tools/list-signals.js';
import { listTradesTool } from './tools/list-trades.js';
import { planTradeLevelsTool } from './tools/plan-trade-levels.js';
import { runBacktestTool } from './tools/run-backtest.js';
import { runMonteCarloTool } from './tools/run-monte-carlo.js';
import { scanTrendStatesTool } from './tools/scan-trend-states.js';
import { validateSignalTool } from './tools/validate-signal.js';
import type { AnsweredCandles } from '../../compute/analysis.js';
import { analysisOperation } from '../operations/analysis/analysis-operation.js';

/** The tools that are not made from an analysis, in alphabetical order. */
const ownTools: readonly Tool[] = [
  askAssistantTool,
  askGuestAssistantTool,
  assessRiskTool,
  compareBacktestsTool,
  getAccountAccessTool,
  getBacktestResultTool,
  getBalancesTool,
  getCandlesTool,
  getChannelPerformanceTool,
  getConversationTool,
  getDataStatusTool,
  getEquityCurveTool,
  getExchangeRulesTool,
  getFlipHistoryTool,
  getOrderTimelineTool,
  getPnlSummaryTool,
  getPortfolioRiskTool,
  getPortfolioStatusTool,
  getPositionDetailsTool,
  getPriceTool,
  getSignalDetailsTool,
  getStrategyLeaderboardTool,
  getTrendChartTool,
  listAssetsTool,
  listBacktestStrategiesTool,
  listChannelSubscriptionsTool,
  listExchangeConnectionsTool,
  listExchangesTool,
  listIndicatorsTool,
  listOrdersTool,
  listSignalsTool,
  listTradesTool,
  planTradeLevelsTool,
  runBacktestTool,
  runMonteCarloTool,
  scanTrendStatesTool,
  validateSignalTool,
];

const analysisTools = allAnalyses.map(analysisTool).filter((tool) => tool !== null);

const agreed = new Map([...analysisTools, ...ownTools].map((tool) => [tool.listing.name, tool]));

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
    headline: (payload) => tool.headline(payload as object & AnsweredCandles),
  });
}
