import { exchangeRules } from '../../operations/exchanges/exchange-rules.js';
import { defineTool } from '../tool.js';

export const getExchangeRulesTool = defineTool({
  name: 'get_exchange_rules',
  operation: exchangeRules,
  headline: ({ exchange, asset, tradeMarket, account, priceTick, quantityStep, minNotional }) =>
    `${asset}/${tradeMarket} on ${account} of ${exchange}: price tick ${priceTick}, quantity step ${quantityStep}, minimum notional ${minNotional} ${tradeMarket}.`,
});
