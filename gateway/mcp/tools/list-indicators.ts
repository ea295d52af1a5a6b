import { listIndicators } from '../../operations/analysis/list-indicators.js';
import { defineTool } from '../tool.js';

export const listIndicatorsTool = defineTool({
  name: 'list_indicators',
  operation: listIndicators,
  headline: ({ indicators }) => `${indicators.length} indicators; pass their names to get_indicator_values.`,
});
