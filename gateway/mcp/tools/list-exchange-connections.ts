import { countOf } from '../../../compute/model/count-of.js';
import { listExchanges } from '../../operations/exchanges/list-exchanges.js';
import { defineTool } from '../tool.js';

export const listExchangeConnectionsTool = defineTool({
  name: 'list_exchange_connections',
  operation: listExchanges,
  headline: ({ exchanges }) => {
    const faulty = exchanges.filter(({ fault }) => fault !== null).map(({ exchange }) => exchange);
    const state =
      faulty.length === 0
        ? 'all were read without a fault'
        : `${faulty.join(', ')} could not be read last time`;
    return `${countOf(exchanges.length, 'connected account')}, the paper account included; ${state}. No key may withdraw.`;
  },
});
