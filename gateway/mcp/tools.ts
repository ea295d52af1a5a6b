import { allAnalyses } from '../../compute/analyses.js';
import { analysisTool } from './analysis-tool.js';
import { catalogue } from './catalogue.js';
import type { Tool } from './tool.js';
import { askAssistantTool } from './tools/ask-assistant.js';
import { askGuestAssistantTool } from './tools/ask-guest-assistant.js';
import { assessRiskTool } from './tools/assess-risk.js';
import { getTrendChartTool } from './tools/get-trend-chart.js';
import { listIndicatorsTool } from './tools/list-indicators.js';

/** The tools that are no analysis, in alphabetical order. */
const ownTools: readonly Tool[] = [
  askAssistantTool,
  askGuestAssistantTool,
  assessRiskTool,
  getTrendChartTool,
  listIndicatorsTool,
];

const analysisTools = allAnalyses.map(analysisTool).filter((tool) => tool !== null);

const byName = new Map([...analysisTools, ...ownTools].map((tool) => [tool.listing.name, tool]));

/** Every tool, in the order of the catalogue. */
export const tools: readonly Tool[] = catalogue.flatMap(({ name }) => byName.get(name) ?? []);

/** The tool of that name; undefined for an unknown name. */
export const toolNamed = (name: string): Tool | undefined => byName.get(name);
