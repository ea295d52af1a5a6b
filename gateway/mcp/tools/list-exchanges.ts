import { supportedExchanges } from '../../operations/exchanges/supported-exchanges.js';
import { defineTool } from '../tool.js';

export const listExchangesTool = defineTool({
  name: 'list_exchanges',
  operation: supportedExchanges,
  headline: ({ exchanges }) => {
    const paused = exchanges.filter(({ status }) => status === 'paused').map(({ exchange }) => exchange);
    return `${exchanges.length} exchanges: ${exchanges.map(({ exchange }) => exchange).join(', ')}; ${paused.length === 0 ? 'none is paused' : `paused: ${paused.join(', ')}`}.`;
  },
});
