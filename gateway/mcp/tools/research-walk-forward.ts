import { researchWalkForward } from '../../operations/research/research-walk-forward.js';
import { defineExtension } from '../tool.js';
import { rulesSchema } from '../rules-schema.js';

export const researchWalkForwardTool = defineExtension({
  name: 'research_walk_forward',
  title: 'Walk own rules forward',
  description:
    'Fits the parameters of own rules on each training stretch of the history and trades them on the test that follows: whether they hold out of sample.',
  scope: 'read:analysis',
  toolset: 'research',
  operation: researchWalkForward,
  inputSchema: rulesSchema(researchWalkForward.input),
  headline: ({ verdict, reason, folds }) => `${verdict} over ${folds.length} folds. ${reason}`,
});
