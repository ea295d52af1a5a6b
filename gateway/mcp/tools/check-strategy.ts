import { checkStrategy } from '../../operations/research/check-strategy.js';
import { defineExtension } from '../tool.js';
import { rulesSchema } from '../rules-schema.js';

export const checkStrategyTool = defineExtension({
  name: 'check_strategy',
  title: 'Check strategy rules',
  description:
    'Reads trading rules as JSON and says them in plain English, or names the first fault with its path. Free of charge; use it before research_backtest, and show the user what was understood.',
  scope: 'public',
  toolset: 'research',
  operation: checkStrategy,
  inputSchema: rulesSchema(checkStrategy.input),
  headline: ({ rules }) => rules.join(' '),
});
