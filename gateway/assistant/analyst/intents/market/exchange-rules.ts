import type { exchangeRules } from '../../../../operations/exchanges/exchange-rules.js';
import { writePercent } from '../../format.js';
import { defineIntent } from '../../intent.js';
import { quoteArgs } from '../../market-args.js';
import type { OutputOf } from '../../output-of.js';

type Rules = OutputOf<typeof exchangeRules>;

export const exchangeRulesIntent = defineIntent<Rules>({
  name: 'exchange-rules',
  title: 'what an exchange requires of orders: price tick, quantity step, least value',
  tool: 'get_exchange_rules',
  phrases: [
    'order rules for {asset} on {exchange}',
    'minimum order size of {asset} on {exchange}',
    'tick size of {asset} on {exchange}',
    'lot size {asset} {exchange}',
    'what is the smallest {asset} order on {exchange}',
    'max leverage for {asset} on {exchange}',
    'trading rules {exchange} {asset}',
    'min notional for {asset} on {exchange}',
    'how many decimals does {asset} have on {exchange}',
    'quantity step of {asset} on {exchange}',
    'how little {asset} can I buy on {exchange}',
    'price step of {asset} at {exchange}',
    'what is the minimum I can order of {asset} on {exchange}',
    'smallest trade in {asset} on {exchange}',
  ],
  needs: { exchange: 'On which exchange?', asset: 'For which asset?' },
  takes: ['tradeMarket', 'account'],
  args: ({ exchange, asset, account, tradeMarket }) => ({
    ...{ exchange, asset },
    ...(account === undefined ? {} : { account }),
    ...quoteArgs({ tradeMarket }),
  }),
  answer: (rules) => {
    const { asset, tradeMarket, exchange, account, minNotional, minQuantity, priceTick, quantityStep } =
      rules;
    const value = Number(minNotional) === 0 ? '' : ` and be worth ${minNotional} ${tradeMarket}`;
    return {
      lead: `On ${exchange} (${account.toLowerCase()}) an order of ${asset}/${tradeMarket} must be at least ${minQuantity} ${asset}${value}.`,
      figures: [
        `Its price is a multiple of ${priceTick} ${tradeMarket}, its quantity of ${quantityStep} ${asset}.`,
        ...termWords(rules),
      ],
    };
  },
});

function termWords({ maxLeverage, makerPercent, takerPercent }: Rules): string[] {
  return [
    ...(maxLeverage === null ? [] : [`The largest leverage is ${maxLeverage}.`]),
    ...(makerPercent === null || takerPercent === null
      ? []
      : [
          `The fee is ${writePercent(makerPercent)} for maker and ${writePercent(takerPercent)} for taker orders.`,
        ]),
  ];
}
