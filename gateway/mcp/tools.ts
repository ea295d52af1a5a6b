import { allAnalyses } from '../../compute/analyses.js';
import { analysisTool } from './analysis-tool.js';
import { catalogue } from './catalogue.js';
import type { Tool } from './tool.js';
import { askAssistantTool } from './tools/ask-assistant.js';
import { askGuestAssistantTool } from './tools/ask-guest-assistant.js';
import { assessRiskTool } from './tools/assess-risk.js';
import { compareBacktestsTool } from './tools/compare-backtests.js';
import { getAccountAccessTool } from './tools/get-account-access.js';
import { getBacktestResultTool } from './tools/get-backtest-result.js';
import { getBalancesTool } from './tools/get-balances.js';
import { getConversationTool } from './tools/get-conversation.js';
import { getEquityCurveTool } from './tools/get-equity-curve.js';
import { getOrderTimelineTool } from './tools/get-order-timeline.js';
import { getPnlSummaryTool } from './tools/get-pnl-summary.js';
import { getPortfolioRiskTool } from './tools/get-portfolio-risk.js';
import { getPortfolioStatusTool } from './tools/get-portfolio-status.js';
import { getPositionDetailsTool } from './tools/get-position-details.js';
import { getSignalDetailsTool } from './tools/get-signal-details.js';
import { getTrendChartTool } from './tools/get-trend-chart.js';
import { listChannelSubscriptionsTool } from './tools/list-channel-subscriptions.js';
import { listExchangeConnectionsTool } from './tools/list-exchange-connections.js';
import { listIndicatorsTool } from './tools/list-indicators.js';
import { listOrdersTool } from './tools/list-orders.js';
import { listSignalsTool } from './tools/list-signals.js';
import { listTradesTool } from './tools/list-trades.js';
import { runBacktestTool } from './tools/run-backtest.js';
import { runMonteCarloTool } from './tools/run-monte-carlo.js';

/** The tools that are no analysis, in alphabetical order. */
const ownTools: readonly Tool[] = [
  askAssistantTool,
  askGuestAssistantTool,
  assessRiskTool,
  compareBacktestsTool,
  getAccountAccessTool,
  getBacktestResultTool,
  getBalancesTool,
  getConversationTool,
  getEquityCurveTool,
  getOrderTimelineTool,
  getPnlSummaryTool,
  getPortfolioRiskTool,
  getPortfolioStatusTool,
  getPositionDetailsTool,
  getSignalDetailsTool,
  getTrendChartTool,
  listChannelSubscriptionsTool,
  listExchangeConnectionsTool,
  listIndicatorsTool,
  listOrdersTool,
  listSignalsTool,
  listTradesTool,
  runBacktestTool,
  runMonteCarloTool,
];

const analysisTools = allAnalyses.map(analysisTool).filter((tool) => tool !== null);

const byName = new Map([...analysisTools, ...ownTools].map((tool) => [tool.listing.name, tool]));

/** Every tool, in the order of the catalogue. */
export const tools: readonly Tool[] = catalogue.flatMap(({ name }) => byName.get(name) ?? []);

/** The tool of that name; undefined for an unknown name. */
export const toolNamed = (name: string): Tool | undefined => byName.get(name);
