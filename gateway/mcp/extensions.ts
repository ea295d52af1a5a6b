import type { Tool } from './tool.js';
import { checkStrategyTool } from './tools/check-strategy.js';
import { listSavedStrategiesTool } from './tools/list-saved-strategies.js';
import { researchBacktestTool } from './tools/research-backtest.js';
import { researchLuckTool } from './tools/research-luck.js';
import { researchSweepTool } from './tools/research-sweep.js';
import { researchWalkForwardTool } from './tools/research-walk-forward.js';
import { saveStrategyTool } from './tools/save-strategy.js';
import { sweepStrategyTool } from './tools/sweep-strategy.js';

/**
 * Tools beside those agreed with clients, in alphabetical order. `tools/list` names them only for their toolset, such as
 * `?toolsets=research`; they can always be called by name.
 */
export const extensionTools: readonly Tool[] = [
  checkStrategyTool,
  listSavedStrategiesTool,
  researchBacktestTool,
  researchLuckTool,
  researchSweepTool,
  researchWalkForwardTool,
  saveStrategyTool,
  sweepStrategyTool,
];
