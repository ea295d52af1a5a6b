import { countOf } from '../../../compute/model/count-of.js';
import { listIndicators } from '../../operations/analysis/list-indicators.js';
import { defineTool } from '../tool.js';

export const listIndicatorsTool = defineTool({
  name: 'list_indicators',
  operation: listIndicators,
  headline: ({ indicators }) =>
    `${countOf(indicators.length, 'indicator')}: ${indicators.map(({ name }) => name).join(', ')}. Pass their names to get_indicator_values.`,
});
